select 'kinds of movements are words' as what, convalidated as ok from pg_constraint where conname = 'asset_detail_kind';
