set local role saddle_system;
select 'the spans of riders are those of their days' as what, not exists (
  select from rider_use u left join rider_day d on d.rider_id = u.rider_id and d.day > u.spans_day - 30
  group by u.rider_id having u.rides_30 <> coalesce(sum(d.rides), 0) or u.cents_30 <> coalesce(sum(d.cents), 0)) as ok;
select 'segments ask for spans that are kept' as what, not exists (
  select from segment_version v cross join unnest(array['ridesDays', 'spentDays']) s (name)
  where (v.terms ->> s.name)::integer <> all (array[7, 30, 90, 180, 365])) as ok;
reset role;
