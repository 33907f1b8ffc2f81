-- Whether people of a company may log in with any browser or only with an approved one.
alter table agent add column device_policy text not null default 'open' check (device_policy in ('open', 'approval'));
-- From when on roles that hold codes of finance need a second factor; null: never.
alter table agent add column finance_totp_from timestamptz;

-- The box around an area, so that those near a boundary are found without reading rings.
create function ring_box(ring jsonb) returns box language sql immutable strict parallel safe
return (
  select box(point(min((p ->> 0)::float8), min((p ->> 1)::float8)), point(max((p ->> 0)::float8), max((p ->> 1)::float8)))
  from jsonb_array_elements(ring) as p
);
alter table service_area add column bounds box generated always as (ring_box(ring)) stored;

-- What became of an application, by whom, and why not.
alter table franchise_application add column decided_at timestamptz;
alter table franchise_application add column decided_by text check (char_length(decided_by) between 1 and 40);
alter table franchise_application add column refusal text check (char_length(refusal) between 2 and 200);
alter table franchise_application add column opened_agent_id bigint references agent (id);
alter table franchise_application add constraint franchise_application_refused_why
  check ((state = 'refused') = (refusal is not null));
alter table franchise_application add constraint franchise_application_accepted_as
  check ((state = 'accepted') = (opened_agent_id is not null));
alter table franchise_application add constraint franchise_application_decided_by
  check ((state = 'submitted') = (decided_at is null) and (decided_at is null) = (decided_by is null));
