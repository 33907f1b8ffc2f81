import { useState, type ReactNode } from 'react'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { artefactKindLabels, type Artefact } from '@saddle/contract/production/artefacts.ts'
import { upgradeEndpoints } from '@saddle/contract/production/upgrades.ts'
import { flag, many } from '#kit/form/choiceFields.tsx'
import type { Field } from '#kit/form/field.ts'
import { FormDrawer } from '#kit/form/FormDialog.tsx'
import { number, text } from '#kit/form/textFields.tsx'
import { number as shown } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { staleUpgrades } from './words.ts'

interface Props {
  readonly artefact: Artefact
  readonly onClose: () => void
}

/** A campaign of one artefact: where, under which conditions, and what stops it. */
export function CampaignForm({ artefact, onClose }: Props): ReactNode {
  const areas = useEndpoint(areaEndpoints.listServiceAreas, {}, { staleMs: 300_000 })
  const offered = (areas.data?.data.list ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const [areaIds, setAreaIds] = useState<readonly number[]>([])
  const percent = (label: string, initial: number, hint?: string, at?: string) =>
    number({ label, unit: '%', initial, at: at ?? '', ...(hint !== undefined && { hint }) })
  const chosen = many<number>({ label: t('服务区'), hint: t('不选则全部'), options: offered })
  const areaField: Field<readonly number[], number[]> = {
    ...chosen,
    control: (props) =>
      chosen.control({
        ...props,
        onChange: (ids) => {
          setAreaIds(ids)
          props.onChange(ids)
        },
      }),
  }
  return (
    <FormDrawer
      title={t('新建升级活动：{{name}} {{version}}', { name: artefact.name, version: artefact.version })}
      call={upgradeEndpoints.createUpgradeCampaign}
      about={artefact.id}
      widthPx={620}
      fields={{
        name: text({ label: t('升级名称'), initial: `${artefact.name} ${artefact.version}`.slice(0, 40) }),
        areaIds: areaField,
        minBattery: percent(t('电量不低于'), 40, undefined, 'terms.minBattery'),
        minSignal: number({ label: t('信号不低于'), unit: 'CSQ', initial: 10, at: 'terms.minSignal' }),
        nightOnly: flag({
          label: t('时段'),
          initial: true,
          says: t('只在夜间（23 点至 5 点）开始'),
          at: 'terms.nightOnly',
        }),
        successPercent: percent(t('进入下一批需成功'), 95, undefined, 'terms.successPercent'),
        errorPercent: percent(t('失败达到即暂停'), 5, t('按当前批次的车辆计算'), 'terms.errorPercent'),
        silentMax: number({
          label: t('失联达到即暂停'),
          unit: t('辆'),
          initial: 1,
          hint: t('重启后没有上线的车辆，全活动合计'),
          at: 'terms.silentMax',
        }),
        watchHours: number({ label: t('每批观察'), unit: t('小时'), initial: 2, at: 'terms.watchHours' }),
        unlockFailurePoints: percent(
          t('开锁失败率最多高'),
          5,
          t('已升级车辆与未升级车辆比较，百分点'),
          'terms.unlockFailurePoints',
        ),
        offlinePoints: percent(t('离线率最多高'), 5, undefined, 'terms.offlinePoints'),
        batteryPoints: percent(t('每日耗电最多高'), 10, undefined, 'terms.batteryPoints'),
      }}
      input={({ name, areaIds: inAreas, ...terms }) => ({
        agentId: artefact.agentId,
        artefactId: artefact.id,
        name,
        areaIds: inAreas,
        terms,
      })}
      submit={t('新建活动')}
      stale={staleUpgrades}
      done={({ data }) => t('已新建，共 {{count}} 辆车，确认后开始', { count: data.total })}
      onClose={onClose}
    >
      <p>{t('车辆按 1%、10%、50%、100% 分批。骑行、预约中的车辆不会升级；开始升级的车辆暂停营运，结束后自动恢复。')}</p>
      <Reach artefact={artefact} areaIds={areaIds} />
    </FormDrawer>
  )
}

/** How many vehicles the campaign would reach, and why not the others. */
function Reach({ artefact, areaIds }: { readonly artefact: Artefact; readonly areaIds: readonly number[] }) {
  const { data } = useEndpoint(
    upgradeEndpoints.previewUpgrade,
    { agentId: artefact.agentId, artefactId: artefact.id, areaIds: [...areaIds] },
    { keepPrevious: true },
  )
  const counts = data?.data
  const count = (value: number | undefined) => (value === undefined ? '--' : shown(value))
  return (
    <Facts
      facts={[
        [t('类型'), t(artefactKindLabels[artefact.kind])],
        [t('可升级车辆'), count(counts?.eligible)],
        [t('符合协议与车型'), count(counts?.matching)],
        [t('已是该版本'), count(counts?.current)],
        [t('版本不允许'), count(counts?.notAllowed)],
        [t('版本未知'), count(counts?.unknownVersion)],
        [t('在其他活动中'), count(counts?.open)],
      ]}
    />
  )
}
