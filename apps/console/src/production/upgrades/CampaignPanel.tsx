import { useState, type ReactNode } from 'react'
import { deviceProtocolLabels } from '@saddle/contract/fleet/protocols.ts'
import { upgradeEndpoints, type UpgradeCampaign } from '@saddle/contract/production/upgrades.ts'
import { upgradeCampaignStateLabels } from '@saddle/contract/production/upgradeWords.ts'
import { useAction } from '#kit/action/useAction.ts'
import { areasText, useAreaNames } from '#kit/areaNames.ts'
import { select } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { reason } from '#kit/form/textFields.tsx'
import { dateTime, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { ActionList } from './ActionList.tsx'
import { campaignTone, groupTitle, progressText, reasonText, staleUpgrades } from './words.ts'
import './upgrades.css'

const refreshEveryMs = 5_000

/** One campaign: its groups and gates as they are now, each device, and what can be done. */
export function CampaignPanel({ campaign }: { readonly campaign: UpgradeCampaign }): ReactNode {
  const { id, state } = campaign
  const [view, setView] = useState<'progress' | 'devices' | 'terms'>('progress')
  const tab = (name: typeof view, label: string) => (
    <Button aria-pressed={view === name} onClick={() => setView(name)}>
      {label}
    </Button>
  )
  return (
    <DetailPanel
      label={t('升级活动详情')}
      title={
        <>
          <strong>{campaign.name}</strong>{' '}
          <Mark tone={campaignTone[state]}>{t(upgradeCampaignStateLabels[state])}</Mark>
        </>
      }
      foot={
        <Permit action="0601">
          <Acts campaign={campaign} />
        </Permit>
      }
    >
      {campaign.reason !== '' && <output className="upgrade-reason">{reasonText(campaign)}</output>}
      <p className="form-choices">
        {tab('progress', t('进度与闸门'))}
        {tab('devices', t('设备明细'))}
        {tab('terms', t('条件'))}
      </p>
      {view === 'progress' && <Progress campaign={campaign} />}
      {view === 'devices' && <ActionList fixed={{ campaignId: id }} />}
      {view === 'terms' && <Terms campaign={campaign} />}
    </DetailPanel>
  )
}

const useDetail = (campaign: UpgradeCampaign) =>
  useEndpoint(
    upgradeEndpoints.upgradeCampaignDetail,
    { id: campaign.id },
    { keepPrevious: true, ...(campaign.state === 'running' && { refetchIntervalMs: refreshEveryMs }) },
  )

function Progress({ campaign }: { readonly campaign: UpgradeCampaign }) {
  const { data, error, refetch } = useDetail(campaign)
  if (data === undefined) {
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  const { groups, vitals, watchUntil } = data.data
  const { terms } = campaign
  const percent = (value: number | null) => (value === null ? '--' : `${value}%`)
  const vital = (label: string, of: { upgraded: number | null; others: number | null }, points: number) =>
    [
      label,
      t('已升级 {{upgraded}} · 其他 {{others}} · 上限 +{{points}}', {
        upgraded: percent(of.upgraded),
        others: percent(of.others),
        points,
      }),
    ] as const
  return (
    <>
      <ol className="upgrade-groups">
        {groups.map((group) => {
          const { groupNo, total, finished, errors, active, scheduled, cancelled, silent } = group
          const isNow = groupNo === campaign.groupNo && campaign.state !== 'ready'
          return (
            <li key={groupNo} aria-current={isNow ? 'step' : undefined}>
              <span>
                {groupTitle(groupNo)} · {t('{{count}} 辆', { count: total })}
              </span>
              <Bar parts={{ finished, active, errors, cancelled, scheduled }} total={total} />
              <small>
                {t('成功 {{finished}} · 升级中 {{active}} · 失败 {{errors}} · 等待 {{scheduled}}', {
                  finished: number(finished),
                  active: number(active),
                  errors: number(errors),
                  scheduled: number(scheduled),
                })}
                {silent > 0 && ` · ${t('失联 {{count}} 辆', { count: silent })}`}
              </small>
            </li>
          )
        })}
      </ol>
      <Facts
        facts={[
          [t('进入下一批需成功'), `${terms.successPercent}%`],
          [t('失败达到即暂停'), `${terms.errorPercent}%`],
          [t('失联达到即暂停'), t('{{count}} 辆', { count: terms.silentMax })],
          [
            t('每批观察'),
            watchUntil === null
              ? t('{{count}} 小时', { count: terms.watchHours })
              : t('到 {{time}}', { time: dateTime(watchUntil) }),
          ],
          vital(t('开锁失败率'), vitals.unlockFailures, terms.unlockFailurePoints),
          vital(t('离线率'), vitals.offline, terms.offlinePoints),
          vital(t('每日耗电'), vitals.batteryDrain, terms.batteryPoints),
        ]}
      />
    </>
  )
}

interface BarProps {
  readonly parts: Readonly<Record<'finished' | 'active' | 'errors' | 'cancelled' | 'scheduled', number>>
  readonly total: number
}

/** The states of a group's vehicles side by side; the text below says the same. */
function Bar({ parts, total }: BarProps) {
  let start = 0
  return (
    <svg className="upgrade-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      {Object.entries(parts).map(([name, count]) => {
        const width = total === 0 ? 0 : (count * 100) / total
        const x = start
        start += width
        return <rect key={name} data-part={name} x={x} y="0" width={width} height="4" />
      })}
    </svg>
  )
}

function Terms({ campaign }: { readonly campaign: UpgradeCampaign }) {
  const names = useAreaNames()
  const { terms } = campaign
  return (
    <Facts
      facts={[
        [t('固件或语音包'), `${campaign.artefact} ${campaign.version}`],
        [t('协议'), deviceProtocolLabels[campaign.protocol]],
        [t('进度'), progressText(campaign)],
        [t('服务区'), areasText(campaign.areaIds, names)],
        [t('电量不低于'), `${terms.minBattery}%`],
        [t('信号不低于'), `${terms.minSignal} CSQ`],
        [t('时段'), terms.nightOnly ? t('只在夜间（23 点至 5 点）开始') : t('全天')],
        [t('车辆'), t('已关锁、在线、不在骑行或预约中')],
        [t('加盟商'), campaign.company],
        [t('创建'), `${campaign.createdBy} · ${dateTime(campaign.createdAt)}`],
        [t('开始时间'), campaign.startedAt === null ? '--' : dateTime(campaign.startedAt)],
        [t('结束时间'), campaign.finishedAt === null ? '--' : dateTime(campaign.finishedAt)],
      ]}
    />
  )
}

function Acts({ campaign }: { readonly campaign: UpgradeCampaign }) {
  const { id, state } = campaign
  const [open, setOpen] = useState<'pause' | 'stop' | 'rollback' | null>(null)
  const close = () => setOpen(null)
  const start = useAction(upgradeEndpoints.startUpgradeCampaign, {
    stale: staleUpgrades,
    done: () => t('活动已开始'),
    undo: () => ({ id, reason: '' }),
  })
  const isOpen = state === 'ready' || state === 'running' || state === 'paused'
  return (
    <p className="form-choices">
      {(state === 'ready' || state === 'paused') && (
        <Button look="primary" busy={start.isBusy} onClick={() => start.send({ id })}>
          {state === 'ready' ? t('开始首批') : t('继续')}
        </Button>
      )}
      {state === 'running' && <Button onClick={() => setOpen('pause')}>{t('暂停')}</Button>}
      {isOpen && <Button onClick={() => setOpen('stop')}>{t('中止')}</Button>}
      {campaign.finished > 0 && <Button onClick={() => setOpen('rollback')}>{t('回退')}</Button>}
      {open === 'pause' && (
        <FormDialog
          title={t('暂停升级活动')}
          call={upgradeEndpoints.pauseUpgradeCampaign}
          about={id}
          fields={{ reason: reason({ presets: [t('等待厂家确认'), t('客服高峰')] }) }}
          input={(values) => ({ id, ...values })}
          submit={t('暂停')}
          stale={staleUpgrades}
          done={() => t('已暂停，下载中的停在当前数据包')}
          onClose={close}
        >
          <p>{t('不再开始新的车辆。正在安装的设备会装完；可以随时继续。')}</p>
        </FormDialog>
      )}
      {open === 'stop' && (
        <FormDialog
          title={t('中止升级活动')}
          call={upgradeEndpoints.stopUpgradeCampaign}
          about={id}
          fields={{ reason: reason({ presets: [t('固件有问题'), t('范围选错')] }) }}
          input={(values) => ({ id, ...values })}
          submit={t('中止并取消 {{count}} 辆', { count: campaign.scheduled + campaign.active })}
          stale={staleUpgrades}
          done={({ data }) => t('已中止，取消 {{count}} 辆', { count: data.cancelled })}
          onClose={close}
        >
          <p>{t('未安装的车辆全部取消并恢复营运，不能再继续。已升级的车辆保持新版本，可另行回退。')}</p>
        </FormDialog>
      )}
      {open === 'rollback' && <RollbackDialog campaign={campaign} onClose={close} />}
    </p>
  )
}

function RollbackDialog({ campaign, onClose }: { readonly campaign: UpgradeCampaign; readonly onClose: () => void }) {
  const { data } = useDetail(campaign)
  const offered = data?.data.rollbacks ?? []
  if (data === undefined) return null
  return (
    <FormDialog
      title={t('回退“{{name}}”', { name: campaign.name })}
      call={upgradeEndpoints.rollBackUpgrade}
      about={campaign.id}
      fields={{
        artefactId: select<number>({
          label: t('回到版本'),
          hint: offered.length === 0 ? t('没有这些车辆之前版本的固件，请先上传') : '',
          options: offered.map(({ id, name, version }) => ({ value: id, label: `${name} ${version}` })),
          initial: offered[0]?.id ?? null,
          refusals: ['upgrade_no_rollback', 'upgrade_no_vehicle'],
        }),
      }}
      input={(values) => ({ id: campaign.id, ...values })}
      submit={t('新建回退活动')}
      stale={staleUpgrades}
      done={({ data: made }) => t('已新建回退活动，共 {{count}} 辆车，确认后开始', { count: made.total })}
      onClose={onClose}
    >
      <p>{t('为本活动中升级成功的车辆新建一个活动，同样分批并受闸门控制，不限夜间。')}</p>
    </FormDialog>
  )
}
