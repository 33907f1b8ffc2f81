import { useState, type ReactNode } from 'react'
import { unitEndpoints, type Unit } from '@saddle/contract/production/units.ts'
import { useAction } from '#kit/action/useAction.ts'
import { useAreaOptions } from '#kit/areaOptions.ts'
import { select } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { LabelForm } from '../labels/LabelForm.tsx'
import { staleUnits } from './words.ts'

interface Props {
  readonly units: readonly Unit[]
  readonly onDone: () => void
}

type Answer = {
  readonly data: { readonly done: readonly number[]; readonly refused: readonly { readonly promot: string }[] }
}

/** What was done, and why the others were refused: the first reason stands for all. */
function told(done: string, { data }: Answer): string {
  const [first] = data.refused
  return first === undefined
    ? done
    : `${done}${t('，')}${t('{{count}} 辆未处理：', { count: data.refused.length })}${first.promot}`
}

/** Delivers, deploys or retires the chosen vehicles. */
export function UnitActs({ units, onDone }: Props): ReactNode {
  const [open, setOpen] = useState<'deliver' | 'retire' | 'labels' | null>(null)
  const vehicleIds = units.map(({ id }) => id)
  const isStock = units.every(({ stage }) => stage === 'made' || stage === 'tested' || stage === 'delivered')
  const deploy = useAction(unitEndpoints.deployUnits, {
    stale: staleUnits,
    done: (answer) => told(t('已投放 {{count}} 辆', { count: answer.data.done.length }), answer),
    onDone,
  })
  const retire = useAction(unitEndpoints.retireUnits, {
    stale: staleUnits,
    done: (answer) => told(t('已退役 {{count}} 辆', { count: answer.data.done.length }), answer),
    onDone,
  })
  if (open === 'retire') {
    return (
      <>
        <span>{t('退役后不再投放，不能恢复')}</span>
        <Button look="primary" busy={retire.isBusy} onClick={() => retire.send({ vehicleIds })}>
          {t('确认退役 {{count}} 辆', { count: units.length })}
        </Button>
        <Button onClick={() => setOpen(null)}>{t('取消')}</Button>
      </>
    )
  }
  return (
    <>
      <Button look="primary" busy={deploy.isBusy} disabled={!isStock} onClick={() => deploy.send({ vehicleIds })}>
        {t('投放车辆')}
      </Button>
      <Button disabled={!isStock} onClick={() => setOpen('deliver')}>
        {t('交付车辆')}
      </Button>
      <Button onClick={() => setOpen('labels')}>{t('打印标签')}</Button>
      <Button onClick={() => setOpen('retire')}>{t('退役车辆')}</Button>
      {!isStock && <small className="form-hint">{t('所选车辆中有检测、返修中或已投放的')}</small>}
      {open === 'labels' && <LabelForm of={{ vehicleIds }} onClose={() => setOpen(null)} />}
      {open === 'deliver' && <DeliverForm vehicleIds={vehicleIds} onDone={onDone} onClose={() => setOpen(null)} />}
    </>
  )
}

interface DeliverProps {
  readonly vehicleIds: readonly number[]
  readonly onDone: () => void
  readonly onClose: () => void
}

function DeliverForm({ vehicleIds, onDone, onClose }: DeliverProps) {
  const areas = useAreaOptions()
  return (
    <FormDialog
      title={t('交付车辆')}
      call={unitEndpoints.deliverUnits}
      about="deliver"
      fields={{ areaId: select<number>({ label: t('加盟商与服务区'), options: areas }) }}
      input={({ areaId }) => ({ vehicleIds: [...vehicleIds], areaId })}
      submit={t('交付 {{count}} 辆', { count: vehicleIds.length })}
      stale={staleUnits}
      done={(answer) => told(t('已交付 {{count}} 辆', { count: answer.data.done.length }), answer)}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{t('车辆归入所选服务区，投放之前可以再次交付。')}</p>
    </FormDialog>
  )
}
