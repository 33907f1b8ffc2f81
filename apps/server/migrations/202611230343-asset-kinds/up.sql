alter table asset_detail add constraint asset_detail_kind check (kind ~ '^[a-z_]{3,40}$');
