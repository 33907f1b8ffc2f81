drop trigger asset_detail on ledger_entry;
create trigger asset_detail after insert on ledger_entry for each row
  when (new.kind not in ('recharge', 'ride_charge', 'ride_refund', 'platform_charge', 'balance_refund', 'gift_grant',
    'gift_expiry', 'gift_revoke', 'deposit_pay', 'deposit_freeze', 'deposit_unfreeze', 'deposit_recovery', 'deposit_refund',
    'refund_paid', 'refund_returned', 'card_sale', 'card_earning', 'card_refund', 'opening_balance'))
  execute function note_asset_detail();
