alter table coupon_batch
  add column revoke_asked_at timestamptz,
  add column revoke_asked_by text check (char_length(revoke_asked_by) between 1 and 40),
  add column revoke_reason text not null default '' check (char_length(revoke_reason) <= 200),
  add column revoke_done_at timestamptz,
  add constraint coupon_batch_revoke_asked check (
    (revoke_asked_at is null) = (revoke_asked_by is null) and (revoke_done_at is null or revoke_asked_at is not null)
  );
create index coupon_batch_revoking on coupon_batch (revoke_asked_at, id)
  where revoke_asked_at is not null and revoke_done_at is null;
