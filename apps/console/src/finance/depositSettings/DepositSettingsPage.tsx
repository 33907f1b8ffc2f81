import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import {
  depositAreaFields,
  depositAreaList,
  depositRefundDays,
  depositSettingEndpoints,
  depositSourceLabels,
  type DepositArea,
} from '@saddle/contract/finance/depositSettings.ts'
import { holdsPermission } from '@saddle/contract/permissions.ts'
import { useAction } from '#kit/action/useAction.ts'
import { dateTime, money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { listOf } from '#kit/list/declare.ts'
import { keyword, many } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { SelectOne } from '#kit/ui/SelectOne.tsx'
import { DepositDialog, DepositPhone, type DepositTarget } from './DepositDialog.tsx'
import { depositText, exemptText, staleSettings } from './words.ts'
import './depositSettings.css'

const settings = listOf({
  list: depositAreaList,
  call: depositSettingEndpoints.listDepositAreas,
  file: depositSettingEndpoints.exportDepositAreas,
  fields: depositAreaFields,
  rowKey: ({ areaId }) => areaId,
})

const sourceTones = { area: 'info', company: 'good', none: 'off' } as const

/** What riders must deposit in each area, whom that exempts, and how fast deposits go back. */
export default function DepositSettingsPage(): ReactNode {
  const list = useList(settings)
  const [target, setTarget] = useState<DepositTarget | null>(null)
  const bound = useEndpoint(depositSettingEndpoints.depositSettings, {})
  const maxCents = bound.data?.data.maxCents ?? 0
  const inherit = useAction(depositSettingEndpoints.setDeposit, {
    stale: staleSettings,
    done: ({ data: { areas } }) => t('{{count}} 个服务区已改为跟随加盟商', { count: areas }),
    onDone: () => list.choose([]),
  })
  const rows = list.rows ?? []
  const companies = [...new Map(rows.map(({ agentId, company }) => [agentId, company]))]
  return (
    <>
      <ListPage
        list={list}
        title={t('会员配置')}
        above={<Head vehicleCostCents={bound.data?.data.vehicleCostCents ?? null} maxCents={maxCents} />}
        actions={
          <CompanyDefault
            companies={companies}
            isReady={bound.data !== undefined}
            onOpen={(agentId, company) =>
              setTarget({ kind: 'company', agentId, company, areaIds: inheriting(rows, agentId) })
            }
          />
        }
        filters={[keyword(t('服务区'), 'name'), many('sources', t('来源'), depositSourceLabels)]}
        columns={columns}
        rowName={({ areaName }) => areaName}
        empty={t('没有服务区')}
        selectable={() => true}
        renderTools={(chosen) => (
          <>
            <Button look="primary" onClick={() => setTarget({ kind: 'areas', areas: chosen })}>
              {t('设置 {{count}} 个服务区', { count: chosen.length })}
            </Button>
            <Button
              busy={inherit.isBusy}
              disabled={!chosen.some(({ source }) => source === 'area')}
              onClick={() => inherit.send(inheritInput(chosen))}
            >
              {t('改为跟随加盟商')}
            </Button>
          </>
        )}
        renderPanel={(row) => (
          <AreaPanel
            key={row.areaId}
            area={row}
            onChange={() => setTarget({ kind: 'areas', areas: [row] })}
            onInherit={() => inherit.send(inheritInput([row]))}
          />
        )}
      />
      {target !== null && (
        <DepositDialog
          target={target}
          maxCents={maxCents}
          onClose={() => setTarget(null)}
          onDone={() => list.choose([])}
        />
      )}
    </>
  )
}

interface CompanyDefaultProps {
  readonly companies: readonly (readonly [agentId: number, company: string])[]
  readonly isReady: boolean
  readonly onOpen: (agentId: number, company: string) => void
}

/** Opens what holds for the areas of a company without a deposit of their own. */
function CompanyDefault({ companies, isReady, onOpen }: CompanyDefaultProps) {
  const [chosen, choose] = useState<number | null>(null)
  const one = companies.find(([agentId]) => agentId === chosen) ?? companies[0]
  if (one === undefined) return null
  const [agentId, company] = one
  return (
    <div className="deposit-default">
      {companies.length > 1 && (
        <SelectOne
          label={t('加盟商')}
          value={agentId}
          options={companies.map(([value, label]) => ({ value, label }))}
          onChange={choose}
          isSearched
        />
      )}
      <Button disabled={!isReady} onClick={() => onOpen(agentId, company)}>
        {t('默认押金')}
      </Button>
    </div>
  )
}

const inheriting = (rows: readonly DepositArea[], agentId: number): number[] =>
  rows.filter((row) => row.agentId === agentId && row.source !== 'area').map(({ areaId }) => areaId)

const inheritInput = (areas: readonly DepositArea[]) => ({
  areaIds: areas.filter(({ source }) => source === 'area').map(({ areaId }) => areaId),
  inherits: true,
  cents: 0,
  freeStudents: false,
  freeCardHolders: false,
})

/** The bound of the law and how long refunds took; each figure opens its refunds. */
function Head({ vehicleCostCents, maxCents }: { vehicleCostCents: number | null; maxCents: number }) {
  const times = useEndpoint(depositSettingEndpoints.depositRefundTimes, {})
  const data = times.data?.data
  const hours = (value: number | null): string =>
    value === null ? '--' : value < 1 ? t('不到 1 小时') : t('{{value}} 小时', { value: number(value) })
  return (
    <Facts
      facts={[
        [t('押金上限'), t('{{yuan}} 元', { yuan: money(maxCents) })],
        [t('车辆平均成本'), t('{{yuan}} 元，由平台统一设置', { yuan: money(vehicleCostCents) })],
        [t('退押金时限'), t('{{count}} 个工作日', { count: depositRefundDays })],
        ...(data === undefined
          ? []
          : ([
              [t('近 90 天已退'), <Refunds key="done" count={data.done} states={['done']} />],
              [t('超过时限'), <Refunds key="late" count={data.late} states={['done', 'waiting', 'failed']} isLate />],
              [t('退款中'), <Refunds key="waiting" count={data.waiting} states={['waiting', 'failed']} />],
              [t('退款用时中位数'), hours(data.medianHours)],
              [t('九成退款用时不超过'), hours(data.p90Hours)],
            ] as const)),
      ]}
    />
  )
}

function Refunds({ count, states, isLate }: { count: number; states: readonly string[]; isLate?: true }) {
  const filter = JSON.stringify({ states, purposes: ['deposit'], ...(isLate === true && { isLate }) })
  const { held } = usePermissions()
  const shown = isLate === true && count > 0 ? <Mark tone="bad">{number(count)}</Mark> : number(count)
  if (!holdsPermission(held, '070101')) return shown
  return <Link to={`/user-info?view=refunds&filter=${encodeURIComponent(filter)}`}>{shown}</Link>
}

const columns = (): readonly ColumnSpec<DepositArea>[] => [
  { key: 'areaName', card: 'head' },
  {
    key: 'source',
    card: 'head',
    render: ({ source }) => <Mark tone={sourceTones[source]}>{t(depositSourceLabels[source])}</Mark>,
  },
  { key: 'cents', sort: 'cents', render: (row) => depositText(row) },
  { key: 'exempt', title: t('免押人群'), render: (row) => (row.cents === 0 ? '--' : exemptText(row)) },
  { key: 'company', card: 'none' },
  { key: 'authorName', card: 'none' },
  { key: 'createdAt', card: 'none' },
  { key: 'areaId', isOptional: true },
]

interface PanelProps {
  readonly area: DepositArea
  readonly onChange: () => void
  readonly onInherit: () => void
}

function AreaPanel({ area, onChange, onInherit }: PanelProps) {
  const { data } = useEndpoint(depositSettingEndpoints.depositHistory, { areaId: area.areaId })
  return (
    <DetailPanel
      label={t('押金设置')}
      title={<strong>{area.areaName}</strong>}
      foot={
        <p className="form-choices">
          {area.source === 'area' && <Button onClick={onInherit}>{t('改为跟随加盟商')}</Button>}
          <Button look="primary" onClick={onChange}>
            {t('修改')}
          </Button>
        </p>
      }
    >
      <Facts
        facts={[
          [t('押金'), depositText(area)],
          [t('免押人群'), exemptText(area)],
          [t('来源'), t(depositSourceLabels[area.source])],
          [t('加盟商'), area.company],
        ]}
      />
      <h3>{t('骑行者看到的')}</h3>
      <DepositPhone terms={area} />
      <h3>{t('修改记录')}</h3>
      <Facts
        facts={(data?.data.list ?? []).map((one) => [
          dateTime(one.createdAt),
          [
            one.areaId === null ? t('加盟商默认') : t('本服务区'),
            one.inherits ? t('改为跟随加盟商') : depositText(one),
            ...(one.cents === 0 ? [] : [t('免押：{{who}}', { who: exemptText(one) })]),
            one.authorName,
          ].join(' · '),
        ])}
      />
    </DetailPanel>
  )
}
