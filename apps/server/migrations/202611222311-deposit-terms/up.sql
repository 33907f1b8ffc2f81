alter table deposit_setting
  add column free_professions boolean not null default false,
  -- Passes whose holders need no deposit; empty: riding passes of every product.
  add column free_product_ids bigint[] not null default '{}' check (cardinality(free_product_ids) <= 100),
  -- The area has no setting of its own any more: that of the company holds.
  add column inherits boolean not null default false,
  add constraint deposit_setting_inherits check (not inherits or area_id is not null);
create index deposit_setting_history on deposit_setting (agent_id, id desc);
