drop trigger asset_detail on ledger_entry;
drop function note_asset_detail();

-- Whether an entry of the kind may move one of the accounts named below; those listed never do.
create function has_asset_details(kind text) returns boolean language sql immutable parallel safe
return kind not in ('recharge', 'ride_charge', 'ride_refund', 'platform_charge', 'balance_refund', 'gift_grant',
  'gift_expiry', 'gift_revoke', 'deposit_pay', 'deposit_freeze', 'deposit_unfreeze', 'deposit_recovery', 'deposit_refund',
  'refund_paid', 'refund_returned', 'card_sale', 'card_earning', 'card_refund', 'opening_balance');

-- Writes the movements of companies' own accounts by those of the entries that have a number.
create function note_asset_details(
  agent_ids bigint[], numbers bigint[], kinds text[], refs text[], occurred timestamptz[], account_lists text[],
  amount_lists text[]
) returns void language plpgsql
as $$
begin
  insert into asset_detail (agent_id, entry_number, kind, account, cents, reference, at)
  select i.agent_id, i.number, i.kind, a.kind, sum(l.cents), i.reference, i.occurred_at
  from unnest(agent_ids, numbers, kinds, refs, occurred, account_lists, amount_lists)
    as i (agent_id, number, kind, reference, occurred_at, account_list, amount_list)
  cross join lateral unnest(i.account_list::bigint[], i.amount_list::bigint[]) as l (account_id, cents)
  join ledger_account a on a.id = l.account_id and a.agent_id = i.agent_id and a.kind in
    ('service_balance', 'service_held', 'agent_in_transit', 'agent_available', 'agent_disputed', 'agent_withdrawing')
  where i.number is not null and has_asset_details(i.kind)
  group by i.agent_id, i.number, i.kind, i.reference, i.occurred_at, a.kind having sum(l.cents) <> 0
  order by i.agent_id, i.number, a.kind;
end
$$;
revoke execute on function note_asset_details(bigint[], bigint[], text[], text[], timestamptz[], text[], text[])
  from public, saddle_app, saddle_system;

-- Posts one entry or says why not: `posted`, `replayed` (it was there), `conflict` (another entry was there under its
-- key), `insufficient`, `unbalanced`, `unknown_account`, `not_reversible`, `invalid`. What is plainly good is the usual
-- case, so it is tried first and the fault is looked for only when the tables refuse.
create or replace function ledger_post_one(
  new_agent_id bigint, new_kind text, new_reference text, new_key text, new_occurred_at timestamptz,
  new_reverses bigint, new_accounts text, new_amounts text, new_memo text,
  out number bigint, out outcome text
) language plpgsql security definer
set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  digest bytea := ledger_input_hash(
    new_kind, new_reference, new_key, new_reverses, new_accounts, new_amounts, new_memo
  );
  accounts bigint[];
  amounts bigint[];
  head record;
  has_repeats boolean := false;
  moved bigint := 0;
  refused_by text;
begin
  if new_reverses is not null and not ledger_may_reverse(
    new_agent_id, new_reverses, new_accounts::bigint[], new_amounts::bigint[]
  ) then
    refused_by := 'ledger_entry_reverses';
  else
    begin
      accounts := new_accounts::bigint[];
      amounts := new_amounts::bigint[];
      -- Locks the book: whoever posts to it waits here, before any balance.
      update ledger_book b
      set entry_number = b.entry_number + 1,
        entry_hash = sha256(b.entry_hash || ledger_link_content(
          new_agent_id, b.entry_number + 1, new_occurred_at, now(), digest
        ))
      where b.agent_id = new_agent_id
      returning b.entry_number as number, b.entry_hash as hash into head;
      insert into ledger_entry (
        agent_id, number, kind, reference, key, occurred_at, recorded_at, reverses, account_ids, amounts_cents, memo,
        input_hash, hash
      )
      values (
        new_agent_id, head.number, new_kind, new_reference, new_key, new_occurred_at, now(), new_reverses, accounts,
        amounts, new_memo, digest, head.hash
      );
      for line in 1 .. cardinality(accounts) - 1 loop
        has_repeats := has_repeats or accounts[line] = any (accounts[line + 1:]);
      end loop;
      if has_repeats then
        with delta as (
          select l.account_id, sum(l.amount_cents)::bigint as amount_cents, count(*) as postings
          from unnest(accounts, amounts) as l (account_id, amount_cents) group by l.account_id
        ),
        moving as (
          update ledger_balance b
          set balance_cents = b.balance_cents + d.amount_cents, posting_count = b.posting_count + d.postings
          from delta d where b.account_id = d.account_id and b.agent_id = new_agent_id
          returning b.account_id, b.is_owned, d.postings
        ),
        posting as (
          insert into ledger_owner_posting (account_id, entry_number, line, agent_id, amount_cents)
          select m.account_id, head.number, l.line, new_agent_id, amounts[l.line]
          from moving m, generate_subscripts(accounts, 1) as l (line)
          where m.is_owned and accounts[l.line] = m.account_id
        )
        select coalesce(sum(m.postings), 0) into moved from moving m;
      else
        -- The usual entry names no account twice: plain statements, because starting the one above takes longer than
        -- running these.
        insert into ledger_owner_posting (account_id, entry_number, line, agent_id, amount_cents)
        select b.account_id, head.number, array_position(accounts, b.account_id), new_agent_id,
          amounts[array_position(accounts, b.account_id)]
        from ledger_balance b where b.account_id = any (accounts) and b.agent_id = new_agent_id and b.is_owned;
        update ledger_balance b
        set balance_cents = b.balance_cents + amounts[array_position(accounts, b.account_id)],
          posting_count = b.posting_count + 1
        where b.account_id = any (accounts) and b.agent_id = new_agent_id;
        get diagnostics moved = row_count;
      end if;
      if moved <> cardinality(accounts) then
        raise exception 'an entry names an account that is not of its book'
          using errcode = 'foreign_key_violation', constraint = 'ledger_entry_accounts';
      end if;
      number := head.number;
      outcome := 'posted';
      if has_asset_details(new_kind) then
        perform note_asset_details(
          array[new_agent_id], array[head.number], array[new_kind], array[new_reference], array[new_occurred_at],
          array[new_accounts], array[new_amounts]
        );
      end if;
      return;
    exception
      when integrity_constraint_violation or check_violation or unique_violation or foreign_key_violation
        or not_null_violation or data_exception then
        get stacked diagnostics refused_by = constraint_name;
    end;
  end if;
  -- `+ 0` keeps the planner from every index but that of the key.
  select e.number, case when e.input_hash = digest then 'replayed' else 'conflict' end into number, outcome
  from ledger_entry e where e.agent_id + 0 = new_agent_id and e.reference = new_reference and e.key = new_key;
  if outcome is null then
    outcome := case
      when not coalesce(ledger_is_balanced(new_accounts::bigint[], new_amounts::bigint[]), false) then 'unbalanced'
      when refused_by = 'ledger_balance_not_negative' then 'insufficient'
      when refused_by = 'ledger_entry_accounts' then 'unknown_account'
      when refused_by = 'ledger_entry_reverses' then 'not_reversible'
      else 'invalid'
    end;
  end if;
end
$$;

-- Posts many entries in one statement: all those that are plainly good at once, the others one by one, so that a bad
-- one does not fail its neighbours. Balances move by the sums of all, so entries that would be good in another order are
-- not plainly good. Lists of accounts and amounts are PostgreSQL's array texts, such as {1001,1002}.
-- No reference and key may come twice. Whoever calls this inside a transaction holds the books until its end.
create or replace function ledger_post(
  agent_ids bigint[], kinds text[], refs text[], keys text[], occurred timestamptz[], reversals bigint[],
  account_lists text[], amount_lists text[], memos text[],
  out numbers bigint[], out outcomes text[]
) language plpgsql security definer
set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  one record;
  place int;
  missing bigint;
  short bigint;
begin
  if cardinality(agent_ids) > 1 then
    perform from ledger_book b where b.agent_id = any (agent_ids) order by b.agent_id for update;
    begin
      with input as (
        select i.*, i.account_list::bigint[] as account_ids, i.amount_list::bigint[] as amounts_cents,
          ledger_input_hash(i.kind, i.reference, i.key, i.reverses, i.account_list, i.amount_list, i.memo) as input_hash
        from unnest(agent_ids, kinds, refs, keys, occurred, reversals, account_lists, amount_lists, memos)
          with ordinality as i (
            agent_id, kind, reference, key, occurred_at, reverses, account_list, amount_list, memo, place
          )
        -- Neither `not exists`, which may become a join that reads the whole index, nor the plain agent_id, which
        -- invites other indexes: plans must not depend on how full the table is.
        where i.reverses is null and (
          select e.number from ledger_entry e
          where e.agent_id + 0 = i.agent_id and e.reference = i.reference and e.key = i.key
        ) is null
      ),
      numbered as (
        select i.*, b.entry_number + row_number() over w as number,
          case when row_number() over w = 1 then b.entry_hash else '\x' end as head
        from input i join ledger_book b on b.agent_id = i.agent_id
        window w as (partition by i.agent_id order by i.place)
      ),
      chained as materialized (
        select n.*, ledger_chain(
          n.head || ledger_link_content(n.agent_id, n.number, n.occurred_at, now(), n.input_hash)
        ) over (partition by n.agent_id order by n.place rows unbounded preceding) as hash
        from numbered n
      ),
      entry as (
        insert into ledger_entry (
          agent_id, number, kind, reference, key, occurred_at, recorded_at, reverses, account_ids, amounts_cents, memo,
          input_hash, hash
        )
        select c.agent_id, c.number, c.kind, c.reference, c.key, c.occurred_at, now(), c.reverses, c.account_ids,
          c.amounts_cents, c.memo, c.input_hash, c.hash
        from chained c
      ),
      head as (
        update ledger_book b
        set entry_number = d.number, entry_hash = d.hash
        from (
          select c.agent_id, max(c.number) as number, (array_agg(c.hash order by c.number desc))[1] as hash
          from chained c group by c.agent_id
        ) d
        where b.agent_id = d.agent_id
      ),
      line as materialized (
        select c.agent_id, c.number, generate_subscripts(c.account_ids, 1) as line, unnest(c.account_ids) as account_id,
          unnest(c.amounts_cents) as amount_cents
        from chained c
      ),
      delta as materialized (
        select l.account_id, l.agent_id, sum(l.amount_cents)::bigint as amount_cents, count(*) as postings,
          coalesce(sum(l.amount_cents) filter (where l.amount_cents > 0), 0)::bigint as paid_in
        from line l group by l.account_id, l.agent_id
      ),
      moving as (
        update ledger_balance b
        set balance_cents = b.balance_cents + d.amount_cents, posting_count = b.posting_count + d.postings
        from delta d
        -- The list is what keeps a plan from reading every balance that there is.
        where b.account_id = any (array(select t.account_id from delta t))
          and b.account_id = d.account_id and b.agent_id = d.agent_id
        -- Without what comes in here there would not be enough for what goes out: whether it came first, only the entries
        -- one by one can say.
        returning b.account_id, b.is_owned, d.postings,
          not b.may_be_negative and b.balance_cents < d.paid_in as is_short
      ),
      posting as (
        insert into ledger_owner_posting (account_id, entry_number, line, agent_id, amount_cents)
        select l.account_id, l.number, l.line, l.agent_id, l.amount_cents
        from line l join moving m on m.account_id = l.account_id
        where m.is_owned
      )
      select array_agg(c.number order by p.place), array_agg(case when c.number > 0 then 'posted' end order by p.place),
        (select count(*) from line) - (select coalesce(sum(m.postings), 0) from moving m),
        (select count(*) from moving m where m.is_short)
      into numbers, outcomes, missing, short
      from generate_series(1, cardinality(agent_ids)) p (place) left join chained c on c.place = p.place;
      if missing <> 0 then
        raise exception 'an entry names an account that is not of its book'
          using errcode = 'foreign_key_violation', constraint = 'ledger_entry_accounts';
      end if;
      if short <> 0 then
        raise exception 'an account may have been below zero between two entries'
          using errcode = 'check_violation', constraint = 'ledger_balance_not_negative';
      end if;
      if exists (select from unnest(kinds) as k (kind) where has_asset_details(k.kind)) then
        perform note_asset_details(agent_ids, numbers, kinds, refs, occurred, account_lists, amount_lists);
      end if;
    exception
      when integrity_constraint_violation or check_violation or unique_violation or foreign_key_violation
        or not_null_violation or data_exception then
        numbers := null;
        outcomes := null;
    end;
    if array_position(outcomes, null) is null and outcomes is not null then
      return;
    end if;
  end if;
  for place in 1 .. cardinality(agent_ids) loop
    continue when outcomes[place] is not null;
    select * into one from ledger_post_one(
      agent_ids[place], kinds[place], refs[place], keys[place], occurred[place], reversals[place],
      account_lists[place], amount_lists[place], memos[place]
    );
    numbers[place] := one.number;
    outcomes[place] := one.outcome;
  end loop;
end
$$;

-- Two to a hundred postings, none of them nothing, which sum to zero; texts hold no '|', which separates what is hashed.
create function ledger_is_sound(
  kind text, reference text, key text, memo text, account_ids bigint[], amounts_cents bigint[]
) returns boolean language plpgsql immutable parallel safe
as $$
declare
  amount bigint;
  total bigint := 0;
begin
  -- An amount that is nothing makes the total null. Few expressions: each is prepared anew in every transaction.
  foreach amount in array amounts_cents loop
    total := total + nullif(amount, 0);
  end loop;
  return coalesce(total, 1) = 0
    and cardinality(account_ids) = cardinality(amounts_cents) and cardinality(account_ids) between 2 and 100
    and strpos(kind, '|') + strpos(reference, '|') + strpos(key, '|') = 0
    and octet_length(kind) between 1 and 40 and octet_length(reference) between 1 and 80
    and octet_length(key) between 1 and 80 and octet_length(memo) <= 400;
end
$$;
-- One function: PostgreSQL reads the text of a check anew for every statement.
alter table ledger_entry drop constraint ledger_entry_is_sound, add constraint ledger_entry_is_sound check (
  ledger_is_sound(kind, reference, key, memo, account_ids, amounts_cents)
);
drop function ledger_are_words(text, text, text, text);
