{{ sqlmetrics.evaluate(
    ref('animals'), ['accuracy', 'f1(average=macro)', 'recall(class=cat)', 'kappa'], label='species', prediction='predicted', by='country'
) }}
