{{ config(materialized='ephemeral') }}
select * from {{ ref('predictions') }} where day < '2026-05-02'
