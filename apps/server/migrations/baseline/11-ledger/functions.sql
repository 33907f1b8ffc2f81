create function ledger_refuse_change() returns trigger language plpgsql
as $$
begin
  raise exception '% is append-only: correct it by a reversing entry', tg_table_name using errcode = 'restrict_violation';
end
$$;
create trigger append_only before delete or truncate on ledger_book
  for each statement execute function ledger_refuse_change();
create trigger append_only before update or delete or truncate on ledger_account
  for each statement execute function ledger_refuse_change();
create trigger append_only before delete or truncate on ledger_balance
  for each statement execute function ledger_refuse_change();
create trigger append_only before update or delete or truncate on ledger_entry
  for each statement execute function ledger_refuse_change();
create trigger append_only before update or delete or truncate on ledger_owner_posting
  for each statement execute function ledger_refuse_change();

-- What a caller says of an entry, its time left out: a retry comes later.
create function ledger_input_hash(
  kind text, reference text, key text, reverses bigint, accounts text, amounts text, memo text
) returns bytea language sql stable parallel safe
return sha256(convert_to(
  concat_ws('|', kind, reference, key, coalesce(reverses, 0), accounts, amounts, memo), 'UTF8'
));

create function ledger_link_content(
  agent_id bigint, number bigint, occurred_at timestamptz, recorded_at timestamptz, input_hash bytea
) returns bytea language sql stable parallel safe
return int8send(agent_id) || int8send(number) || timestamptz_send(occurred_at) || timestamptz_send(recorded_at)
  || input_hash;

create function ledger_link(previous bytea, content bytea) returns bytea language plpgsql immutable strict parallel safe
as $$
begin
  return sha256(previous || content);
end
$$;

-- As a running aggregate: each entry's hash covers the one before it.
create aggregate ledger_chain(bytea) (sfunc = ledger_link, stype = bytea, initcond = '');

-- Whether these postings take back, line by line, an entry that nothing has taken back and that takes back nothing.
create function ledger_may_reverse(
  book_id bigint, reversed bigint, accounts bigint[], amounts bigint[]
) returns boolean language sql stable
return exists (
  select from ledger_entry e
  where e.agent_id = book_id and e.number = reversed and e.reverses is null and e.account_ids = accounts
    and e.amounts_cents = (
      select array_agg(-a.amount order by a.line) from unnest(amounts) with ordinality as a (amount, line)
    )
    and not exists (select from ledger_entry r where r.agent_id = book_id and r.reverses = reversed)
);

-- Posts one entry or says why not: `posted`, `replayed` (it was there), `conflict` (another entry was there under its
-- key), `insufficient`, `unbalanced`, `unknown_account`, `not_reversible`, `invalid`. What is plainly good is the usual
-- case, so it is tried first and the fault is looked for only when the tables refuse.
create function ledger_post_one(
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
  account record;
  line int;
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
        for account in
          update ledger_balance b
          set balance_cents = b.balance_cents + amounts[array_position(accounts, b.account_id)],
            posting_count = b.posting_count + 1
          where b.account_id = any (accounts) and b.agent_id = new_agent_id
          returning b.account_id as id, b.is_owned
        loop
          moved := moved + 1;
          continue when not account.is_owned;
          line := array_position(accounts, account.id);
          insert into ledger_owner_posting (account_id, entry_number, line, agent_id, amount_cents)
          values (account.id, head.number, line, new_agent_id, amounts[line]);
        end loop;
      end if;
      if moved <> cardinality(accounts) then
        raise exception 'an entry names an account that is not of its book'
          using errcode = 'foreign_key_violation', constraint = 'ledger_entry_accounts';
      end if;
      number := head.number;
      outcome := 'posted';
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
create function ledger_post(
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

-- Opens the accounts that are not open yet and returns all of them, in the order of the lists.
create function ledger_open(
  book_id bigint, kinds text[], owner_ids bigint[], negatives boolean[], opened_at timestamptz, out account_ids bigint[]
) language plpgsql security definer
set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  head record;
  account bigint;
begin
  -- Usually all are open, and then nothing is written and nobody waits.
  account_ids := array(
    select a.id from unnest(kinds, owner_ids) with ordinality as w (kind, owner_id, place)
    left join ledger_account a on a.agent_id = book_id and a.kind = w.kind and a.owner_id = w.owner_id
    order by w.place
  );
  if array_position(account_ids, null) is null then
    return;
  end if;
  insert into ledger_book (agent_id) values (book_id) on conflict do nothing;
  select b.account_number as number, b.account_hash as hash into head
  from ledger_book b where b.agent_id = book_id for update;
  for place in 1 .. cardinality(kinds) loop
    select a.id into account from ledger_account a
    where a.agent_id = book_id and a.kind = kinds[place] and a.owner_id = owner_ids[place];
    if not found then
      account := nextval('ledger_account_id_seq');
      head.number := head.number + 1;
      head.hash := sha256(head.hash || convert_to(concat_ws(
        '|', book_id, head.number, account, kinds[place], owner_ids[place], 'CNY', negatives[place]::int
      ), 'UTF8') || timestamptz_send(opened_at));
      insert into ledger_account (id, agent_id, number, kind, owner_id, currency, may_be_negative, opened_at, hash)
      values (
        account, book_id, head.number, kinds[place], owner_ids[place], 'CNY', negatives[place], opened_at, head.hash
      );
      insert into ledger_balance (account_id, agent_id, may_be_negative, is_owned)
      values (account, book_id, negatives[place], owner_ids[place] <> 0);
    end if;
    account_ids[place] := account;
  end loop;
  update ledger_book set account_number = head.number, account_hash = head.hash where agent_id = book_id;
end
$$;

-- All postings, for whoever asks for some: those of an account of somebody by their index, others from their book.
create view ledger_posting with (security_invoker = true) as
select p.account_id, p.entry_number, p.line, p.agent_id, p.amount_cents
from ledger_owner_posting p
union all
select a.id, e.number, l.line::smallint, a.agent_id, l.amount_cents
from ledger_account a
join ledger_entry e on e.agent_id = a.agent_id
cross join lateral unnest(e.account_ids, e.amounts_cents) with ordinality as l (account_id, amount_cents, line)
where a.owner_id = 0 and l.account_id = a.id;
revoke all on ledger_posting from saddle_app, saddle_system;
grant select on ledger_posting to saddle_app, saddle_system;

-- They write past row level security, so nobody but the system's role may call them.
do $$
declare
  door regprocedure;
begin
  for door in select oid::regprocedure from pg_proc
    where proname in ('ledger_post', 'ledger_post_one', 'ledger_open') and pronamespace = 'public'::regnamespace
  loop
    execute format('revoke execute on function %s from public, saddle_app', door);
    execute format('grant execute on function %s to saddle_system', door);
  end loop;
end
$$;
