{{ sqlmetrics.curve(ref('predictions'), 'roc', label='clicked', score='score', by='country') }}
