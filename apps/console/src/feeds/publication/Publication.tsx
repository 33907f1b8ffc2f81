import { useState, type ReactNode } from 'react'
import { gbfsFormFactorLabels, gbfsPropulsionLabels, gbfsVersion } from '@saddle/contract/feeds/gbfs.ts'
import { feedReaderDays } from '@saddle/contract/feeds/publication.ts'
import { dateTime, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { Empty } from '#kit/ui/states.tsx'
import { AreaFeeds } from './AreaFeeds.tsx'
import { ModelForm } from './ModelForm.tsx'
import { SettingForm } from './SettingForm.tsx'
import type { ShownPublication } from './shown.ts'

interface Props {
  readonly shown: ShownPublication
}

/** What a company publishes as GBFS. */
export function Publication({ shown }: Props): ReactNode {
  return (
    <>
      <Setting shown={shown} />
      <Models shown={shown} />
      <AreaFeeds areas={shown.areas} isPublic={shown.isPublic} />
      <Readers shown={shown} />
    </>
  )
}

function Setting({ shown }: Props): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const { isPublic, contactEmail, manifestUrl, changedAt, changedBy } = shown
  return (
    <section className="page-card feed-card" aria-label={t('公开数据')}>
      <header>
        <h2>{t('公开数据（GBFS {{version}}）', { version: gbfsVersion })}</h2>
        <Mark tone={isPublic ? 'good' : 'off'}>{isPublic ? t('公开中') : t('未公开')}</Mark>
        <Button look={isPublic ? 'quiet' : 'primary'} onClick={() => setOpen(true)}>
          {isPublic ? t('修改') : t('开始公开')}
        </Button>
      </header>
      <p>
        {t(
          '地图、出行规划与城市管理方按 GBFS 标准读取可骑车辆的位置，无需登录。车辆编号在每次骑行后更换，无法据此追踪骑行；骑行中的车辆不出现。',
        )}
      </p>
      <Facts
        facts={[
          [
            t('目录地址'),
            <a key="manifest" href={manifestUrl} target="_blank" rel="noreferrer">
              {manifestUrl}
            </a>,
          ],
          [t('联系邮箱'), contactEmail ?? '--'],
          [t('最近修改'), changedAt === null ? '--' : `${changedBy} · ${dateTime(changedAt)}`],
        ]}
      />
      {isOpen && <SettingForm shown={shown} onClose={() => setOpen(false)} />}
    </section>
  )
}

function Models({ shown }: Props): ReactNode {
  const [model, setModel] = useState<ShownPublication['models'][number] | null>(null)
  const isUnset = shown.version === 0
  return (
    <section className="page-card feed-card" aria-label={t('车型')}>
      <h2>{t('车型')}</h2>
      <p>{t('公开数据须说明每个车型是什么车、续航多少；未设置的车型按“其他”公开。')}</p>
      {shown.models.length === 0 && <Empty title={t('范围内还没有车辆')} />}
      <ul className="feed-rows">
        {shown.models.map((one) => (
          <li key={one.model}>
            <strong>{one.model}</strong>
            <span>
              {t(gbfsFormFactorLabels[one.formFactor])} · {t(gbfsPropulsionLabels[one.propulsion])} ·{' '}
              {t('续航 {{km}} 公里', { km: number(one.maxRangeM / 1_000) })}
            </span>
            <small>
              {!one.isSet && <Mark tone="warn">{t('未设置')}</Mark>} {t('{{count}} 辆', { count: one.vehicles })}
            </small>
            <Button
              look="quiet"
              disabled={isUnset}
              title={isUnset ? t('请先设置公开数据') : undefined}
              aria-label={t('修改车型 {{model}}', { model: one.model })}
              onClick={() => setModel(one)}
            >
              {t('修改')}
            </Button>
          </li>
        ))}
      </ul>
      {model !== null && <ModelForm shown={shown} model={model} onClose={() => setModel(null)} />}
    </section>
  )
}

function Readers({ shown }: Props): ReactNode {
  return (
    <section className="page-card feed-card" aria-label={t('使用方')}>
      <h2>{t('使用方')}</h2>
      <p>{t('最近 {{count}} 天读取数据的程序，按其自报的名称统计，不记录地址。', { count: feedReaderDays })}</p>
      {shown.readers.length === 0 && (
        <Empty title={t('还没有程序读取')} text={t('把目录地址告诉使用方后，这里显示谁在读取。')} />
      )}
      <ul className="feed-rows">
        {shown.readers.map(({ reader, reads, areaCount, lastAt }) => (
          <li key={reader}>
            <strong>{reader}</strong>
            <span>{t('{{count}} 次读取', { count: reads })}</span>
            <small>
              {t('{{count}} 个服务区', { count: areaCount })} · {t('最近 {{at}}', { at: dateTime(lastAt) })}
            </small>
          </li>
        ))}
      </ul>
    </section>
  )
}
