import { useState, type ReactNode } from 'react'
import { wallScreenEndpoints, type WallScreen } from '@saddle/contract/identity/screens.ts'
import { screenPageLabels, type ScreenPage } from '@saddle/contract/reports/screens.ts'
import { minuteMs, secondMs } from '@saddle/contract/time.ts'
import { useAreaNames } from '#kit/areaNames.ts'
import { serverNow } from '#kit/clock.ts'
import { checks, many } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { text } from '#kit/form/textFields.tsx'
import { dateTime, relativeTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { Sheet } from '#kit/ui/Sheet.tsx'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { pagesHeld } from './pairingLink.ts'

const { listScreens, pairScreen, renameScreen, removeScreen } = wallScreenEndpoints
const stale = [listScreens]
/** A wall asks every few seconds; it is noted once a minute. */
const onlineWithinMs = 3 * minuteMs
/** A wall that was paired takes its session within seconds. */
const startsWithinMs = minuteMs
const awaitedEveryMs = 3 * secondMs
const isStarting = ({ lastSeenAt, pairedAt }: WallScreen, now: number): boolean =>
  lastSeenAt === null && now - pairedAt < startsWithinMs

export interface ScreensProps {
  /** The code of a wall that is to be connected now. */
  readonly code: string | null
  readonly onClose: () => void
}

type Open = { readonly kind: 'pair' } | { readonly kind: 'rename' | 'remove'; readonly screen: WallScreen }

/** The screens on walls: connect, rename, remove, and when each was last seen. */
export default function WallScreens({ code, onClose }: ScreensProps): ReactNode {
  const [awaits, setAwaits] = useState(false)
  const { data, error, refetch } = useEndpoint(
    listScreens,
    {},
    { refetchIntervalMs: awaits ? awaitedEveryMs : minuteMs },
  )
  const [open, setOpen] = useState<Open | null>(code === null ? null : { kind: 'pair' })
  const list = data?.data.list
  const isAwaited = list?.some((screen) => isStarting(screen, serverNow())) ?? false
  if (isAwaited !== awaits) setAwaits(isAwaited)
  const close = (): void => setOpen(null)
  return (
    <Sheet isWide label={t('大屏终端')} title={t('大屏终端')} onClose={onClose}>
      <div className="screens">
        <p>
          {t('在大屏的浏览器中打开 {{address}}，把显示的配对码填入此处。大屏只读，权限不超过配对人。', {
            address: kioskAddress(),
          })}
        </p>
        <Button look="primary" onClick={() => setOpen({ kind: 'pair' })}>
          {t('配对大屏')}
        </Button>
        {list === undefined &&
          (error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />)}
        {list?.length === 0 && (
          <Empty title={t('还没有大屏终端')} text={t('配对后在这里查看在线情况、重命名或移除。')} />
        )}
        {list !== undefined && list.length > 0 && (
          <ul className="screens-list">
            {list.map((screen) => (
              <Line key={screen.id} screen={screen} onOpen={setOpen} />
            ))}
          </ul>
        )}
      </div>
      {open?.kind === 'pair' && <Pair code={code} onClose={close} />}
      {open?.kind === 'rename' && <Rename screen={open.screen} onClose={close} />}
      {open?.kind === 'remove' && <Remove screen={open.screen} onClose={close} />}
    </Sheet>
  )
}

function kioskAddress(): string {
  const url = new URL(location.href)
  url.search = ''
  url.hash = '/screen-login'
  return url.href
}

const pagesText = (pages: readonly ScreenPage[]): string => pages.map((page) => t(screenPageLabels[page])).join(t('、'))

function Line({ screen, onOpen }: { readonly screen: WallScreen; readonly onOpen: (open: Open) => void }): ReactNode {
  const { name, pages, areaCount, company, operatorName, pairedAt, lastSeenAt } = screen
  const now = serverNow()
  const isOnline = lastSeenAt !== null && now - lastSeenAt < onlineWithinMs
  const starts = isStarting(screen, now)
  return (
    <li>
      <div>
        <b>{name}</b>
        {starts ? (
          <Mark tone="info">{t('正在连接')}</Mark>
        ) : (
          <Mark tone={isOnline ? 'good' : 'off'}>{isOnline ? t('在线') : t('离线')}</Mark>
        )}
        <small>
          {[
            company,
            pagesText(pages),
            areaCount === null ? t('全部服务区') : t('{{count}} 个服务区', { count: areaCount }),
          ].join(' · ')}
        </small>
        <small>
          {t('{{person}} 配对于 {{time}}', { person: operatorName, time: dateTime(pairedAt) })}
          {' · '}
          {starts
            ? t('几秒后开始显示')
            : lastSeenAt === null
              ? t('会话已结束，需要重新配对')
              : t('最近在线 {{time}}', { time: relativeTime(lastSeenAt, now) })}
        </small>
      </div>
      <span>
        <Button
          look="quiet"
          aria-label={t('重命名大屏“{{name}}”', { name })}
          onClick={() => onOpen({ kind: 'rename', screen })}
        >
          {t('重命名')}
        </Button>
        <Button
          look="quiet"
          aria-label={t('移除大屏“{{name}}”', { name })}
          onClick={() => onOpen({ kind: 'remove', screen })}
        >
          {t('移除')}
        </Button>
      </span>
    </li>
  )
}

function Pair({ code, onClose }: { readonly code: string | null; readonly onClose: () => void }): ReactNode {
  const { held } = usePermissions()
  const names = useAreaNames()
  const pages = pagesHeld(held)
  return (
    <FormDialog
      title={t('配对大屏')}
      call={pairScreen}
      about={code ?? ''}
      fields={{
        code: text({
          label: t('配对码'),
          initial: code ?? '',
          placeholder: t('大屏上显示的 8 位配对码'),
          isSecret: true,
          refusals: ['screen_code_invalid'],
        }),
        name: text({ label: t('大屏名称'), placeholder: t('例如：调度中心') }),
        pages: checks({
          label: t('显示页面'),
          options: pages.map((value) => ({ value, label: t(screenPageLabels[value]) })),
          initial: pages,
        }),
        areaIds: many({
          label: t('服务区'),
          options: [...names].map(([value, label]) => ({ value, label })),
          placeholder: t('全部服务区'),
        }),
      }}
      input={({ areaIds, ...rest }) => ({ ...rest, ...(areaIds.length > 0 && { areaIds }) })}
      submit={t('配对')}
      stale={stale}
      done={() => t('大屏已配对，几秒后开始显示')}
      onClose={onClose}
    >
      <p>{t('大屏会以您的部分权限显示汇总数字，不含个人信息；您失去权限或移除大屏后，它立即停止显示。')}</p>
    </FormDialog>
  )
}

interface OfScreen {
  readonly screen: WallScreen
  readonly onClose: () => void
}

function Rename({ screen: { id, name }, onClose }: OfScreen): ReactNode {
  return (
    <FormDialog
      title={t('重命名大屏“{{name}}”', { name })}
      call={renameScreen}
      about={id}
      fields={{ name: text({ label: t('大屏名称'), initial: name }) }}
      input={(values) => ({ id, ...values })}
      submit={t('保存名称')}
      stale={stale}
      onClose={onClose}
    />
  )
}

function Remove({ screen: { id, name }, onClose }: OfScreen): ReactNode {
  return (
    <FormDialog
      title={t('移除大屏“{{name}}”', { name })}
      call={removeScreen}
      about={id}
      fields={{}}
      input={() => ({ id })}
      submit={t('移除大屏“{{name}}”', { name })}
      stale={stale}
      done={() => t('大屏已移除')}
      onClose={onClose}
    >
      <p>{t('它立即停止显示，重新显示需要再次配对。')}</p>
    </FormDialog>
  )
}
