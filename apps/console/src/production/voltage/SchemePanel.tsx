import { useState, type ReactNode } from 'react'
import { voltageEndpoints, type VoltageScheme } from '@saddle/contract/production/voltage.ts'
import { voltageStateLabels, type VoltageVersion } from '@saddle/contract/production/voltageWords.ts'
import { useAction } from '#kit/action/useAction.ts'
import { dateTime, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { CurveChart } from './CurveField.tsx'
import { EnforceForm, WithdrawForm } from './DecideForms.tsx'
import { DraftForm } from './DraftForm.tsx'
import { Replay } from './Replay.tsx'
import { SchemeForm } from './SchemeForm.tsx'
import { refreshEveryMs, staleVoltage, voltageTone } from './words.ts'

/** One pack: its versions, the draft and its replay. */
export function SchemePanel({ scheme }: { readonly scheme: VoltageScheme }): ReactNode {
  const { data, error, refetch } = useEndpoint(
    voltageEndpoints.voltageSchemeDetail,
    { id: scheme.id },
    {
      keepPrevious: true,
      // Whether a draft may come into force depends on its replay.
      refetchIntervalMs: (answer) =>
        answer?.data.versions.some(({ replay }) => replay === 'waiting' || replay === 'running') === true
          ? refreshEveryMs
          : 0,
    },
  )
  const [form, setForm] = useState<'scheme' | 'draft' | null>(null)
  const versions = data?.data.versions ?? []
  const draft = versions.find(({ state }) => state === 'draft')
  return (
    <DetailPanel
      label={t('电压方案详情')}
      title={
        <>
          <strong>{scheme.name}</strong>{' '}
          <Mark tone={voltageTone[scheme.state]}>{t(voltageStateLabels[scheme.state])}</Mark>
        </>
      }
      foot={
        scheme.maySet &&
        data !== undefined && (
          <Permit action="0601">
            <p className="form-choices">
              <Button onClick={() => setForm('scheme')}>{t('修改电池组')}</Button>
              <Button {...(versions.length === 0 && { look: 'primary' as const })} onClick={() => setForm('draft')}>
                {draft === undefined ? t('新建草稿') : t('修改草稿')}
              </Button>
            </p>
          </Permit>
        )
      }
    >
      <Facts
        facts={[
          [t('串数'), number(scheme.cells)],
          [t('车辆数'), t('{{count}} 辆车', { count: scheme.vehicles })],
          [t('备注'), scheme.note || '--'],
        ]}
      />
      {data === undefined &&
        (error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />)}
      {versions.map((version) => (
        <Version key={version.id} scheme={scheme} version={version} />
      ))}
      {form === 'scheme' && <SchemeForm scheme={scheme} onClose={() => setForm(null)} />}
      {form === 'draft' && (
        <DraftForm
          scheme={scheme}
          start={draft ?? versions[0]}
          models={data?.data.models ?? []}
          onClose={() => setForm(null)}
        />
      )}
    </DetailPanel>
  )
}

function spanText({ from, until }: VoltageVersion): string {
  if (from === null) return '--'
  return until === null ? t('{{from}} 起', { from: dateTime(from) }) : `${dateTime(from)} – ${dateTime(until)}`
}

function Version({ scheme, version }: { readonly scheme: VoltageScheme; readonly version: VoltageVersion }) {
  const { state } = version
  const by = version.decidedBy ?? version.changedBy
  return (
    <section className="voltage-version" aria-label={`V${version.number}`}>
      <h3>
        V{version.number} <Mark tone={voltageTone[state]}>{t(voltageStateLabels[state])}</Mark>
      </h3>
      <CurveChart points={version.points} />
      <Facts
        facts={[
          [t('生效时段'), spanText(version)],
          [t('回差'), `${version.hysteresisPercent}%`],
          [t('骑行压降'), `${version.loadDropV} V`],
          [t('充电升压'), `${version.chargeRiseV} V`],
          [t('车型'), version.models.map(({ model }) => model).join(t('、'))],
          [t('按此版本显示的车辆'), number(version.vehicles)],
          [t('最近修改'), [by, dateTime(version.changedAt)].filter((part) => part !== null).join(' · ')],
        ]}
      />
      {scheme.maySet && (
        <Permit action="0601">
          <Acts scheme={scheme} version={version} />
        </Permit>
      )}
      {version.replay !== null && <Replay version={version} />}
    </section>
  )
}

function Acts({ scheme, version }: { readonly scheme: VoltageScheme; readonly version: VoltageVersion }) {
  const { id: versionId, revision, state, isReplayed } = version
  const [form, setForm] = useState<'enforce' | 'withdraw' | null>(null)
  const replay = useAction(voltageEndpoints.startVoltageReplay, { stale: staleVoltage, done: () => t('回放已开始') })
  if (state === 'ended') return null
  const isBusy = version.replay === 'waiting' || version.replay === 'running'
  return (
    <div className="form-choices">
      {state === 'draft' ? (
        <>
          <Button busy={replay.isBusy} disabled={isBusy} onClick={() => replay.send({ versionId, revision })}>
            {t('回放最近一周')}
          </Button>
          <Button look="primary" disabled={!isReplayed} onClick={() => setForm('enforce')}>
            {t('生效')}
          </Button>
          {!isReplayed && <small className="form-hint">{t('当前草稿回放完成后才能生效')}</small>}
        </>
      ) : (
        <Button onClick={() => setForm('withdraw')}>{state === 'waiting' ? t('撤回') : t('结束')}</Button>
      )}
      {form === 'enforce' && <EnforceForm scheme={scheme} version={version} onClose={() => setForm(null)} />}
      {form === 'withdraw' && <WithdrawForm scheme={scheme} version={version} onClose={() => setForm(null)} />}
    </div>
  )
}
