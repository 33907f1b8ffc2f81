import { useState, type ReactNode } from 'react'
import { deviceProtocolLabels } from '@saddle/contract/fleet/protocols.ts'
import { importEndpoints } from '@saddle/contract/production/imports.ts'
import {
  importProblemLabels,
  vehicleImportRowFields,
  vehicleImportRowList,
  vehicleImportStateLabels,
  type VehicleImport,
  type VehicleImportRow,
} from '@saddle/contract/production/importWords.ts'
import { useAction } from '#kit/action/useAction.ts'
import { dateTime, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { listOf } from '#kit/list/declare.ts'
import { keyword, many } from '#kit/list/filters/specs.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { LabelForm } from '../labels/LabelForm.tsx'
import { importTone, staleImports } from './words.ts'

const lines = listOf({
  list: vehicleImportRowList,
  call: importEndpoints.listVehicleImportRows,
  file: importEndpoints.exportVehicleImportRows,
  fields: vehicleImportRowFields,
})

/** One batch: why lines cannot be taken, each line, and what can be done. */
export function ImportPanel({ batch }: { readonly batch: VehicleImport }): ReactNode {
  const { id, state } = batch
  const { data } = useEndpoint(importEndpoints.uploadCarIdAmount, { id }, { keepPrevious: true })
  const reasons = data?.data.reasons ?? []
  return (
    <DetailPanel
      label={t('车辆批次详情')}
      title={
        <>
          <strong>{batch.name}</strong> <Mark tone={importTone[state]}>{t(vehicleImportStateLabels[state])}</Mark>
        </>
      }
      foot={
        <Permit action="0601">
          <Acts batch={batch} heard={data?.data.heard ?? null} />
        </Permit>
      }
    >
      <Facts
        facts={[
          [t('行数'), number(batch.total)],
          [t('可以导入'), number(batch.total - batch.bad)],
          [t('不能导入'), number(batch.bad)],
          [t('导入车辆'), number(batch.made)],
          [t('加盟商与服务区'), `${batch.company} · ${batch.areaName}`],
          [t('协议'), deviceProtocolLabels[batch.protocol]],
          [t('上传人'), `${batch.createdBy} · ${dateTime(batch.createdAt)}`],
          ...(batch.committedAt === null
            ? []
            : ([[t('导入人'), `${batch.committedBy ?? ''} · ${dateTime(batch.committedAt)}`]] as const)),
          ...(batch.endedAt === null
            ? []
            : ([[t(vehicleImportStateLabels[state]), `${batch.endedBy ?? ''} · ${dateTime(batch.endedAt)}`]] as const)),
        ]}
      />
      {reasons.length > 0 && (
        <section aria-label={t('不能导入的原因')}>
          <h3>{t('不能导入的原因')}</h3>
          <Facts
            facts={reasons.map(({ problem, rows }) => [
              t(importProblemLabels[problem]),
              t('{{count}} 行', { count: rows }),
            ])}
          />
        </section>
      )}
      {state !== 'discarded' && <Lines importId={id} />}
    </DetailPanel>
  )
}

function Lines({ importId }: { readonly importId: number }) {
  const list = useList(lines, { fixed: { importId }, isInside: true })
  return (
    <ListCard
      list={list}
      label={t('各行')}
      filters={[keyword(t('车辆编号或 IMEI'), 'text'), many('problems', t('原因'), importProblemLabels)]}
      columns={columns}
      rowName={({ line, number: name }) => `${line} ${name}`}
      empty={t('没有这样的行')}
    />
  )
}

const columns = (): readonly ColumnSpec<VehicleImportRow>[] => [
  { key: 'line', card: 'head' },
  { key: 'number', card: 'head' },
  {
    key: 'reasons',
    card: 'wide',
    render: ({ problems }) =>
      problems.length === 0 ? (
        <Mark tone="good">{t('无误')}</Mark>
      ) : (
        problems.map((problem) => t(importProblemLabels[problem])).join(t('、'))
      ),
  },
  'imei',
  'model',
  { key: 'serial', isOptional: true },
  { key: 'mac', isOptional: true },
  { key: 'iccid', isOptional: true },
]

function Acts({ batch, heard }: { readonly batch: VehicleImport; readonly heard: number | null }) {
  const { id, state, total, bad } = batch
  const [isAsking, setAsking] = useState(false)
  const [isPrinting, setPrinting] = useState(false)
  const commit = useAction(importEndpoints.commitVehicleImport, {
    stale: staleImports,
    done: ({ data }) => t('已导入 {{count}} 辆车，尚未投放', { count: data.made }),
    undo: ({ data }) => ({ id: data.id }),
    undone: ({ data }) => t('已撤销，{{count}} 辆车不再登记', { count: data.removed }),
  })
  const undo = useAction(importEndpoints.undoVehicleImport, {
    stale: staleImports,
    done: ({ data }) => t('已撤销，{{count}} 辆车不再登记', { count: data.removed }),
  })
  const discard = useAction(importEndpoints.discardVehicleImport, { stale: staleImports, done: () => t('已放弃') })
  if (state === 'committed') {
    const reason = heard === null || heard === 0 ? null : t('{{count}} 台设备已连接过平台，不能撤销', { count: heard })
    return (
      <p className="form-choices">
        {isAsking ? (
          <>
            <span>{t('撤销后这些车辆不再登记')}</span>
            <Button look="primary" busy={undo.isBusy} onClick={() => undo.send({ id })}>
              {t('确认撤销')}
            </Button>
            <Button onClick={() => setAsking(false)}>{t('取消')}</Button>
          </>
        ) : (
          <>
            <Button disabled={reason !== null || heard === null} onClick={() => setAsking(true)}>
              {t('撤销导入')}
            </Button>
            <Button look="primary" onClick={() => setPrinting(true)}>
              {t('打印标签')}
            </Button>
          </>
        )}
        {reason !== null && <small className="form-hint">{reason}</small>}
        {isPrinting && <LabelForm of={{ importId: id }} onClose={() => setPrinting(false)} />}
      </p>
    )
  }
  if (state !== 'checked') return null
  if (isAsking) {
    return (
      <p className="form-choices">
        <span>{t('放弃后各行被删除，不能恢复')}</span>
        <Button look="primary" busy={discard.isBusy} onClick={() => discard.send({ id })}>
          {t('确认放弃')}
        </Button>
        <Button onClick={() => setAsking(false)}>{t('取消')}</Button>
      </p>
    )
  }
  const good = total - bad
  return (
    <p className="form-choices">
      <Button onClick={() => setAsking(true)}>{t('放弃')}</Button>
      <Button
        look="primary"
        busy={commit.isBusy}
        disabled={good === 0}
        onClick={() => commit.send({ id, rows: bad === 0 ? 'all' : 'good' })}
      >
        {bad === 0 ? t('导入全部 {{count}} 辆', { count: good }) : t('只导入无误的 {{count}} 辆', { count: good })}
      </Button>
      {good === 0 && <small className="form-hint">{t('没有可以导入的行')}</small>}
    </p>
  )
}
