"""Charts of results, as Vega-Lite specifications: dicts of the numbers of a result, made without another library."""
