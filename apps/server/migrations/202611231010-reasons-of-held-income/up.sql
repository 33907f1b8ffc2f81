alter table split_settlement add column held_for jsonb not null default '[]'
  check (jsonb_typeof(held_for) = 'array' and jsonb_array_length(held_for) <= 10);

-- The sentences as they were written: "<channel>账单有 <n> 笔差异，暂缓 <yuan> 元" and "异议 <ids> 争议 <yuan> 元".
update split_settlement s set held_for = coalesce(
  (
    select jsonb_agg(r.reason order by r.place)
    from (
      select m.place, case
        when m.found[1] is not null then jsonb_build_object(
          'code', 'channel_difference',
          'channel', case m.found[1] when '微信支付' then 'wechat' when '支付宝' then 'alipay' else 'sandbox' end,
          'count', m.found[2]::integer,
          'cents', round(replace(m.found[3], ',', '')::numeric * 100)::bigint)
        else jsonb_build_object(
          'code', 'objection',
          'ids', (select jsonb_agg(i.id::bigint) from regexp_split_to_table(m.found[4], '、') i (id)),
          'cents', round(replace(m.found[5], ',', '')::numeric * 100)::bigint)
        end as reason
      from regexp_split_to_table(s.why, '；') with ordinality p (text, place)
      cross join lateral (
        select p.place, regexp_match(p.text, '^(.+)账单有 (\d+) 笔差异，暂缓 ([\d,.]+) 元$|^异议 ([\d、]+) 争议 ([\d,.]+) 元$') as found
      ) m
      where m.found is not null
    ) r
  ), '[]')
where s.why <> '';

alter table split_settlement drop column why;
