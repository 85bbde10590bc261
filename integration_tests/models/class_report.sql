{{ sqlmetrics.class_report(ref('animals'), label='species', prediction='predicted') }}
