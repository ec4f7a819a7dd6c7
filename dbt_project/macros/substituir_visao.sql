{#
  dbt's own view materialisation renames the old view away and drops it together with every view that reads it: a reader in
  between finds nothing. Replacing in place keeps all of them there, and their grants. PostgreSQL refuses to replace a view only
  where a column changes its name or type; then it is dropped, and dbt builds the views that read it right after.
#}
{% materialization view, adapter='postgres' %}
    {%- set visao = this.incorporate(type='view') -%}
    {{ run_hooks(pre_hooks, inside_transaction=False) }}
    {{ run_hooks(pre_hooks, inside_transaction=True) }}
    {% call statement('main') -%}
        do $substituir_visao$
        begin
            create or replace view {{ visao }} as (
                {{ sql }}
            );
        exception when invalid_table_definition then
            drop view {{ visao }} cascade;
            create view {{ visao }} as (
                {{ sql }}
            );
        end
        $substituir_visao$
    {%- endcall %}
    {% do apply_grants(visao, config.get('grants'), should_revoke=false) %}
    {% do persist_docs(visao, model) %}
    {{ run_hooks(post_hooks, inside_transaction=True) }}
    {{ adapter.commit() }}
    {{ run_hooks(post_hooks, inside_transaction=False) }}
    {{ return({'relations': [visao]}) }}
{% endmaterialization %}
