-- What people answered to warnings about values of an entry: [{table, rid, code, warning, says, value, reason, at, by, byName, receivedAt}], of each warning the
-- latest. Whether one still holds is found with the values; every one is in the audit trail.
alter table entry add column confirmed jsonb not null default '[]';

-- Bounds of a REDCap data dictionary warn there and stop nobody. Definitions that were read from one had them as hard limits; from here on they are what
-- their source meant, an end of what is plausible. What was read stands byte for byte in crf_source.
create function pg_temp.with_plausible_bounds(definition jsonb) returns jsonb language plpgsql as $$
declare
  result jsonb;
begin
  if jsonb_typeof(definition) = 'array' then
    select coalesce(jsonb_agg(pg_temp.with_plausible_bounds(item) order by place), '[]') into result
    from jsonb_array_elements(definition) with ordinality as items (item, place);
    return result;
  end if;
  if jsonb_typeof(definition) <> 'object' then
    return definition;
  end if;
  select coalesce(jsonb_object_agg(key, case when key in ('column', 'group', 'children') then pg_temp.with_plausible_bounds(value) else value end), '{}') into result
  from jsonb_each(definition);
  if jsonb_typeof(result->'zl') = 'object' and (result->'zl') ?| array['min', 'max'] and not (result->'zl') ? 'plausible' then
    result := jsonb_set(result, '{zl}', ((result->'zl') - 'min' - 'max')
      || jsonb_build_object('plausible', jsonb_strip_nulls(jsonb_build_object('min', result->'zl'->'min', 'max', result->'zl'->'max'))));
  end if;
  return result;
end $$;

create temporary table from_redcap on commit drop as
with recursive read as (
  select distinct on (version_id) version_id, source ~* '^\W*("?variable / field name"?|"?field_name"?)\s*,' as is_redcap
  from crf_source order by version_id, created_at desc, id desc
), came as (
  select v.id from crf_version v join read r on r.version_id = v.id where r.is_redcap
  -- A draft that was made of such a version, and was not imported anew.
  union select v.id from crf_version v join came c on v.base_version_id = c.id where not exists (select 1 from read r where r.version_id = v.id)
)
select id from came;

do $$
declare
  page record;
begin
  for page in select p.version_id, p.page_id, p.folder_id, p.option from crf_page p join from_redcap f on f.id = p.version_id where p.option ~ '"zl"' loop
    begin
      update crf_page set option = pg_temp.with_plausible_bounds(page.option::jsonb)::text
      where version_id = page.version_id and page_id = page.page_id and folder_id = page.folder_id
        and pg_temp.with_plausible_bounds(page.option::jsonb) <> page.option::jsonb;
    exception when data_exception then
      -- A page that cannot be read stays as it is.
      null;
    end;
  end loop;
end $$;

-- Devices read these versions anew with the next change of their project.
update change c set seq = p.seq + 1 from crf_version v, project p
where c.kind = 'version' and c.row_id = v.id and v.id in (select id from from_redcap) and p.id = v.project_id and c.project_id = p.id;
