import { sql, type RawBuilder } from 'kysely'

/**
 * Notes areas of `rows` as parts of their company's figures. Whoever does not see all of a company's areas must not see its
 * figures: an area is noted with the first figures that have it.
 */
export const noteAreas = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into report_company (agent_id, area_ids)
  select b.agent_id, array_agg(distinct b.area_id) from ${rows} b where b.area_id is not null group by b.agent_id
  on conflict (agent_id) do update set area_ids = (
    select array_agg(distinct a) from unnest(report_company.area_ids || excluded.area_ids) a)
  where not excluded.area_ids <@ report_company.area_ids`
