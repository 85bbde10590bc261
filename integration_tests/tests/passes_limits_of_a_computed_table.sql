-- a metric that a model has computed is a column; the state behind this model has to be whole, too
select country, auc, states_incomplete, states_of_other_facts, periods_repeated
from {{ ref('from_state') }}
where auc is null or auc < 0.6 or states_incomplete + states_of_other_facts + periods_repeated > 0
