create table campaign_version (
  campaign_id bigint not null,
  version integer not null check (version > 0),
  agent_id bigint not null,
  -- As `campaignTermsSchema` of the contract has them.
  terms jsonb not null check (jsonb_typeof(terms) = 'object' and length(terms::text) <= 20000),
  made_at timestamptz not null,
  made_by_id bigint,
  made_by text not null check (char_length(made_by) between 1 and 40),
  primary key (campaign_id, version),
  foreign key (campaign_id, agent_id) references campaign (id, agent_id)
);
comment on table campaign_version is 'What a campaign was to send, to whom and when, at each version until it started; kept by a trigger of campaign.';
select enable_tenant_rls('campaign_version', false);
revoke update, delete, truncate on campaign_version from saddle_app, saddle_system;

create function keep_campaign_version() returns trigger language plpgsql as $$
begin
  insert into campaign_version (campaign_id, version, agent_id, terms, made_at, made_by_id, made_by)
  values (new.id, new.version, new.agent_id, new.terms, new.changed_at, new.changed_by_id, new.changed_by);
  return null;
end
$$;
create trigger keep_campaign_version_made after insert on campaign
for each row execute function keep_campaign_version();
create trigger keep_campaign_version_changed after update of version on campaign
for each row when (new.version <> old.version) execute function keep_campaign_version();

set local role saddle_system;
insert into campaign_version (campaign_id, version, agent_id, terms, made_at, made_by_id, made_by)
select id, version, agent_id, terms, changed_at, changed_by_id, changed_by from campaign;
reset role;
