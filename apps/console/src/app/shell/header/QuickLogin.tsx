import { useEffect, useState, type ReactElement } from 'react'
import { quickLoginLifetimeMs } from '@saddle/contract/constants.ts'
import { loginEndpoints } from '@saddle/contract/identity/login.ts'
import { call, isApiError } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { copyText } from '../parts/copy.ts'
import { Overlay } from '../parts/Overlay.tsx'

interface QuickLink {
  readonly url: string
  readonly endsAtMs: number
}

/** A link that logs the same person in on another screen: once, within 60 seconds. */
export default function QuickLogin({ onClose }: { readonly onClose: () => void }): ReactElement {
  const [link, setLink] = useState<QuickLink | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [round, setRound] = useState(0)
  const leftSeconds = useSecondsLeft(link?.endsAtMs ?? null)
  useEffect(() => {
    const wait = new AbortController()
    createLink(wait.signal).then(setLink, (error: unknown) => {
      if (!wait.signal.aborted) setFault(isApiError(error) ? t(error.promot) : t('网络出现问题，请稍后再试'))
    })
    return () => wait.abort()
  }, [round])
  const copy = async (url: string): Promise<void> => {
    if (await copyText(url)) notify.success({ text: t('复制完毕') })
    else notify.error({ text: t('复制失败') })
  }
  const again = (): void => {
    setLink(null)
    setFault(null)
    setRound(round + 1)
  }
  return (
    <Overlay label={t('快捷登录')} place="middle" onClose={onClose}>
      <div className="shell-note">
        <h2>{t('快捷登录')}</h2>
        <p>{t('在另一块屏幕上打开此链接，即以您的身份登录。链接 60 秒内有效，只能使用一次，请勿转发。')}</p>
        {fault !== null && <p role="alert">{fault}</p>}
        {link !== null && leftSeconds > 0 && (
          <>
            <div className="shell-note-link">
              <input
                readOnly
                aria-label={t('快捷登录链接')}
                value={link.url}
                onFocus={(event) => event.target.select()}
              />
              <button type="button" className="shell-primary" data-autofocus onClick={() => void copy(link.url)}>
                {t('复制')}
              </button>
            </div>
            <p role="timer">{t('剩余 {{count}} 秒', { count: leftSeconds })}</p>
          </>
        )}
        {(fault !== null || (link !== null && leftSeconds === 0)) && (
          <p>
            {fault === null && t('链接已过期。')}{' '}
            <button type="button" className="shell-primary" onClick={again}>
              {t('重新生成')}
            </button>
          </p>
        )}
      </div>
    </Overlay>
  )
}

async function createLink(signal: AbortSignal): Promise<QuickLink> {
  const { data } = await call(loginEndpoints.createQuickLogin, {}, { quiet: true, signal })
  const page = new URL(location.href)
  page.search = ''
  page.hash = `#/login?origin=${encodeURIComponent(data.origin)}`
  // Counted by this machine's own clock: the server's may differ, and it judges by its own anyway.
  return { url: page.href, endsAtMs: Date.now() + quickLoginLifetimeMs }
}

function useSecondsLeft(endsAtMs: number | null): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    if (endsAtMs === null) return undefined
    setNowMs(Date.now())
    const timer = setInterval(() => setNowMs(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [endsAtMs])
  return endsAtMs === null ? 0 : Math.max(0, Math.ceil((endsAtMs - nowMs) / 1_000))
}
