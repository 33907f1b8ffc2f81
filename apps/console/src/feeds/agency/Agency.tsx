import type { ReactNode } from 'react'
import { mdsAgencyDays, mdsAgencyEndpoints, mdsPushTitles, type MdsAgency } from '@saddle/contract/feeds/agency.ts'
import { jurisdictionEndpoints, type Jurisdiction } from '@saddle/contract/feeds/mds.ts'
import { useAction } from '#kit/action/useAction.ts'
import { dateTime, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Mark, type Tone } from '#kit/ui/Mark.tsx'

const { setMdsAgencyState, retryMdsPushes } = mdsAgencyEndpoints
const stale = [jurisdictionEndpoints.listJurisdictions]

interface Props {
  readonly jurisdiction: Jurisdiction
  readonly agency: MdsAgency
  readonly onOpen: (kind: 'agency' | 'stop') => void
}

function stateOf({ state, isPausedForFailure, failingSince, lastSentAt }: MdsAgency): readonly [Tone, string] {
  if (state === 'paused') return isPausedForFailure ? ['bad', t('因持续失败已暂停')] : ['off', t('已暂停')]
  if (failingSince !== null) return ['warn', t('{{at}} 起未能送达', { at: dateTime(failingSince) })]
  return lastSentAt === null ? ['info', t('等待首次推送')] : ['good', t('正常')]
}

/** Where a jurisdiction is sent: whether the city is reached, what it has taken, and what it refuses. */
export function Agency({ jurisdiction, agency, onOpen }: Props): ReactNode {
  const { id, name } = jurisdiction
  const { url, state, version, fault, failed, failedLast } = agency
  const [tone, says] = stateOf(agency)
  const turn = useAction(setMdsAgencyState, {
    stale,
    done: () => (state === 'on' ? t('已暂停') : t('已恢复，暂停期间的记录将补发')),
  })
  const retry = useAction(retryMdsPushes, {
    stale,
    done: ({ data }) => t('{{count}} 条记录已重新排队', { count: data.queued }),
  })
  return (
    <section className="feed-agency" aria-label={t('向“{{name}}”推送', { name })}>
      <p>
        {t('MDS Agency 推送')} <code>{url}</code> <Mark tone={tone}>{says}</Mark>
        {fault !== null && <code>{fault}</code>}
      </p>
      <Figures agency={agency} />
      {failed > 0 && (
        <ul className="feed-findings" aria-label={t('城市拒收的记录')}>
          {failedLast.map((one) => (
            <li key={`${one.kind} ${one.at}`}>
              {t('{{at}} 的{{kind}}被拒收：', { at: dateTime(one.at), kind: t(mdsPushTitles[one.kind]) })}
              <code>{one.fault}</code>
            </li>
          ))}
        </ul>
      )}
      <p className="feed-agency-acts">
        <Button
          look="quiet"
          disabled={turn.isBusy}
          aria-label={state === 'on' ? t('暂停向“{{name}}”推送', { name }) : t('恢复向“{{name}}”推送', { name })}
          onClick={() => turn.send({ jurisdictionId: id, version, state: state === 'on' ? 'paused' : 'on' })}
        >
          {state === 'on' ? t('暂停') : t('恢复')}
        </Button>
        {failed > 0 && (
          <Button look="quiet" disabled={retry.isBusy} onClick={() => retry.send({ jurisdictionId: id })}>
            {t('重新推送 {{count}} 条', { count: failed })}
          </Button>
        )}
        <Button look="quiet" aria-label={t('修改向“{{name}}”的推送', { name })} onClick={() => onOpen('agency')}>
          {t('修改')}
        </Button>
        <Button look="quiet" aria-label={t('停止向“{{name}}”推送', { name })} onClick={() => onOpen('stop')}>
          {t('停止推送')}
        </Button>
      </p>
    </section>
  )
}

function Figures({ agency }: { readonly agency: MdsAgency }): ReactNode {
  const { vehicles, waiting, waitingSince, telemetryUntil, lastSentAt, sent } = agency
  const refused = sent.reduce((sum, one) => sum + one.refused, 0)
  return (
    <p>
      <small>
        {t('城市已登记 {{count}} 辆车', { count: vehicles })} ·{' '}
        {waitingSince === null
          ? t('没有待发送的记录')
          : t('{{waiting}} 条待发送，最早 {{at}}', { waiting: number(waiting), at: dateTime(waitingSince) })}{' '}
        · {t('轨迹已推送至 {{at}}', { at: dateTime(telemetryUntil) })} ·{' '}
        {lastSentAt === null ? t('从未送达') : t('最近送达 {{at}}', { at: dateTime(lastSentAt) })}
        {sent.length > 0 && (
          <>
            <br />
            {t('近 {{days}} 天送达：{{counts}}', {
              days: mdsAgencyDays,
              counts: sent.map((one) => `${t(mdsPushTitles[one.kind])} ${number(one.sent)}`).join(t('、')),
            })}
            {refused > 0 && ` · ${t('拒收 {{refused}} 次', { refused: number(refused) })}`}
          </>
        )}
      </small>
    </p>
  )
}
