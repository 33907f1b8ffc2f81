-- `device_hash` says whose codes and failures these are: those of a browser that has logged in with the phone before, or,
-- as the empty text, those of all other browsers together. So nobody else's tries count against a known browser.
-- Codes live five minutes: none has to be carried over.
drop table sms_code;
create table sms_code (
  id bigint generated always as identity primary key,
  phone_hash text not null,
  device_hash text not null,
  code_hash text not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sms_code_phone on sms_code (phone_hash, device_hash, sent_at desc);
create index sms_code_expires_at on sms_code (expires_at);

create table sms_guess (
  phone_hash text not null,
  device_hash text not null,
  -- Within the running window.
  failures smallint not null default 0,
  failures_since timestamptz,
  -- One after the other, over days; only a right code, a passkey or an administrator begins it anew.
  total integer not null default 0,
  last_failed_at timestamptz not null,
  primary key (phone_hash, device_hash)
);
create index sms_guess_last_failed_at on sms_guess (last_failed_at);
revoke all on sms_code, sms_guess from saddle_app;

alter table sms_send add column device_hash text not null default '';
