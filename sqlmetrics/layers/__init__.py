"""Files of semantic layers: the measures of a state, and the metrics that a BI tool makes of them."""
