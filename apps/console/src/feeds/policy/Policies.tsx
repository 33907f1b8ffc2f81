import { useState, type ReactNode } from 'react'
import type { Jurisdiction } from '@saddle/contract/feeds/mds.ts'
import {
  mdsPolicyEnds,
  mdsPolicyEndpoints,
  mdsRuleBecomesTitles,
  mdsRuleReasons,
  type MdsPolicy,
  type MdsRule,
} from '@saddle/contract/feeds/policy.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { serverNow } from '#kit/clock.ts'
import { dateTime, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Mark, type Tone } from '#kit/ui/Mark.tsx'
import { ErrorState } from '#kit/ui/states.tsx'
import { BringPolicies, RemovePolicy, TakeRule, UndoRule, type Brought } from './forms.tsx'

type Open =
  | { readonly kind: 'bring' }
  | { readonly kind: 'remove'; readonly policy: MdsPolicy }
  | { readonly kind: 'take' | 'undo'; readonly policy: MdsPolicy; readonly rule: MdsRule }

/** What a city demands of a company in its jurisdiction, rule by rule: what each would become, and what has been taken on. */
export function Policies({ jurisdiction }: { readonly jurisdiction: Jurisdiction }): ReactNode {
  const { id, name } = jurisdiction
  const { data, error, refetch } = useEndpoint(
    mdsPolicyEndpoints.listMdsPolicies,
    { jurisdictionId: id },
    { refetchIntervalMs: minuteMs },
  )
  const [open, setOpen] = useState<Open | null>(null)
  const [brought, setBrought] = useState<Brought | null>(null)
  const close = (): void => setOpen(null)
  const list = data?.data.list ?? []
  return (
    <section className="feed-agency" aria-label={t('“{{name}}”的政策', { name })}>
      <p>
        {t('城市政策（MDS Policy）')}{' '}
        <Button
          look="quiet"
          aria-label={t('读入“{{name}}”的政策', { name })}
          onClick={() => setOpen({ kind: 'bring' })}
        >
          {t('读入政策')}
        </Button>
      </p>
      {brought !== null && brought.faults.length > 0 && <Faults brought={brought} />}
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data !== undefined && list.length === 0 && <p>{t('还没有读入城市的政策')}</p>}
      {list.map((policy) => (
        <One key={policy.id} policy={policy} onOpen={setOpen} />
      ))}
      {open?.kind === 'bring' && <BringPolicies jurisdiction={jurisdiction} onDone={setBrought} onClose={close} />}
      {open?.kind === 'remove' && <RemovePolicy policy={open.policy} onClose={close} />}
      {open?.kind === 'take' && <TakeRule policy={open.policy} rule={open.rule} onClose={close} />}
      {open?.kind === 'undo' && <UndoRule policy={open.policy} rule={open.rule} onClose={close} />}
    </section>
  )
}

function Faults({ brought }: { readonly brought: Brought }): ReactNode {
  return (
    <div role="alert">
      <p>{t('文件有错误，没有保存：')}</p>
      <ul className="feed-findings">
        {brought.faults.map((fault) => (
          <li key={`${fault.document} ${fault.at} ${fault.text}`}>
            <code>
              {fault.document} {fault.at}: {fault.text}
            </code>
          </li>
        ))}
      </ul>
    </div>
  )
}

function stateOf({ endReason, startsAt }: MdsPolicy, now: number): readonly [Tone, string] {
  if (endReason !== null) return ['off', t(mdsPolicyEnds[endReason])]
  return startsAt > now ? ['info', t('尚未生效')] : ['good', t('生效中')]
}

interface OneProps {
  readonly policy: MdsPolicy
  readonly onOpen: (open: Open) => void
}

function One({ policy, onOpen }: OneProps): ReactNode {
  const { name, description, startsAt, endsAt, replaces, sourceUrl, createdAt, createdBy, endReason, rules } = policy
  const [tone, says] = stateOf(policy, serverNow())
  const isUsed = rules.some(({ takenAt }) => takenAt !== null)
  return (
    <details className="feed-policy" open={endReason === null}>
      <summary>
        {name} <Mark tone={tone}>{says}</Mark>
      </summary>
      {description !== '' && <p>{description}</p>}
      <p>
        <small>
          {endsAt === null
            ? t('{{at}} 起', { at: dateTime(startsAt) })
            : t('{{from}} 至 {{to}}', { from: dateTime(startsAt), to: dateTime(endsAt) })}{' '}
          · {t('{{name}} 读入于 {{at}}', { name: createdBy, at: dateTime(createdAt) })}
          {sourceUrl !== null && ` · ${sourceUrl}`}
          {replaces.length > 0 && ` · ${t('替代：{{names}}', { names: replaces.join(t('、')) })}`}
        </small>
      </p>
      <ul className="feed-rows">
        {rules.map((rule) => (
          <RuleLine key={rule.id} policy={policy} rule={rule} onOpen={onOpen} />
        ))}
      </ul>
      {!isUsed && (
        <Button
          look="quiet"
          aria-label={t('移除政策“{{name}}”', { name })}
          onClick={() => onOpen({ kind: 'remove', policy })}
        >
          {t('移除')}
        </Button>
      )}
    </details>
  )
}

function meaningOf({ becomes, maximum, reason }: MdsRule): string {
  if (reason !== null) return t('不采用：{{why}}', { why: t(mdsRuleReasons[reason]) })
  return becomes === 'cap'
    ? t('最多停放 {{count}} 辆', { count: number(maximum ?? 0) })
    : t(mdsRuleBecomesTitles[becomes])
}

function takenWords({ takenAt, takenBy, fences, becomes }: MdsRule): string {
  if (takenAt === null) return ''
  const words = t('{{name}} 采用于 {{at}}', { name: takenBy ?? '', at: dateTime(takenAt) })
  return becomes === 'no_stop' ? `${words} · ${t('{{count}} 个禁停区', { count: fences })}` : words
}

function RuleLine({ policy, rule, onOpen }: OneProps & { readonly rule: MdsRule }): ReactNode {
  const { name, areas, takenAt, counted, countedAt, overSince, becomes } = rule
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <br />
        <span>{meaningOf(rule)}</span>
      </div>
      <small>
        {becomes !== 'nothing' &&
          (areas.length === 0 ? t('不在本公司的服务区内') : areas.map((area) => area.name).join(t('、')))}
      </small>
      <small>
        {takenWords(rule)}
        {counted !== null && countedAt !== null && (
          <>
            <br />
            <Mark tone={overSince === null ? 'good' : 'bad'}>
              {overSince === null
                ? t('停放 {{count}} 辆（{{at}}）', { count: number(counted), at: dateTime(countedAt) })
                : t('停放 {{count}} 辆，{{at}} 起超出上限', { count: number(counted), at: dateTime(overSince) })}
            </Mark>
          </>
        )}
      </small>
      {becomes !== 'nothing' && policy.endReason === null && (
        <Button
          look="quiet"
          aria-label={takenAt === null ? t('查看影响并采用“{{name}}”', { name }) : t('撤销采用“{{name}}”', { name })}
          onClick={() => onOpen({ kind: takenAt === null ? 'take' : 'undo', policy, rule })}
        >
          {takenAt === null ? t('查看影响并采用') : t('撤销采用')}
        </Button>
      )}
    </li>
  )
}
