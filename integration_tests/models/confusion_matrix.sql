{{ sqlmetrics.confusion_matrix(ref('animals'), label='species', prediction='predicted') }}
