-- Every condition of the list as one small number, so that any choice of them is a list of numbers that an index knows.
-- The same mapping stands in contract/rider/riders.ts.
create function rider_cell(closed boolean, certified boolean, banned boolean, certificate_kind text, balance_mark smallint)
returns smallint language sql immutable parallel safe
return (
  (((closed::int * 2 + certified::int) * 2 + banned::int) * 3
    + case certificate_kind when 'student' then 1 when 'profession' then 2 else 0 end) * 4 + balance_mark
)::smallint;
