{{ sqlmetrics.evaluate(
    ref('predictions'), ['auc', 'accuracy(threshold=0.45)'], label='clicked', score='score', by='country', interval=0.95
) }}
