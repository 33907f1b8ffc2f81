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

type State = { readonly link: QuickLink } | { readonly fault: string } | null

/** A link that logs the same person in on another screen: once, within 60 seconds. */
export default function QuickLogin({ onClose }: { readonly onClose: () => void }): ReactElement {
  const [state, setState] = useState<State>(null)
  useEffect(() => {
    const wait = new AbortController()
    const begin = async (): Promise<void> => {
      const next = await createLink(wait.signal)
      if (!wait.signal.aborted) setState(next)
    }
    void begin()
    return () => wait.abort()
  }, [])
  const again = async (): Promise<void> => {
    setState(null)
    setState(await createLink())
  }
  return (
    <Overlay label={t('快捷登录')} place="middle" onClose={onClose}>
      <div className="shell-note">
        <h2>{t('快捷登录')}</h2>
        <p>{t('在另一块屏幕上打开此链接，即以您的身份登录。链接 60 秒内有效，只能使用一次，请勿转发。')}</p>
        {state === null && <output>{t('正在加载…')}</output>}
        {state !== null && 'fault' in state && <Ended text={state.fault} onAgain={() => void again()} />}
        {state !== null && 'link' in state && (
          <LinkLine key={state.link.url} link={state.link} onAgain={() => void again()} />
        )}
      </div>
    </Overlay>
  )
}

function LinkLine({ link, onAgain }: { readonly link: QuickLink; readonly onAgain: () => void }): ReactElement {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const leftSeconds = Math.max(0, Math.ceil((link.endsAtMs - nowMs) / 1_000))
  const copy = async (): Promise<void> => {
    if (await copyText(link.url)) notify.success({ text: t('复制完毕') })
    else notify.error({ text: t('复制失败') })
  }
  if (leftSeconds === 0) return <Ended text={t('链接已过期。')} onAgain={onAgain} />
  return (
    <>
      <div className="shell-note-link">
        <input readOnly aria-label={t('快捷登录链接')} value={link.url} onFocus={(event) => event.target.select()} />
        <button type="button" className="shell-primary" onClick={() => void copy()}>
          {t('复制')}
        </button>
      </div>
      <p role="timer">{t('剩余 {{count}} 秒', { count: leftSeconds })}</p>
    </>
  )
}

function Ended({ text, onAgain }: { readonly text: string; readonly onAgain: () => void }): ReactElement {
  return (
    <p role="alert">
      {text}{' '}
      <button type="button" className="shell-primary" onClick={onAgain}>
        {t('重新生成')}
      </button>
    </p>
  )
}

async function createLink(signal?: AbortSignal): Promise<State> {
  try {
    const { data } = await call(loginEndpoints.createQuickLogin, {}, { quiet: true, ...(signal && { signal }) })
    const page = new URL(location.href)
    page.search = ''
    page.hash = `#/login?origin=${encodeURIComponent(data.origin)}`
    // Counted by the local clock; the server enforces the expiry by its own.
    return { link: { url: page.href, endsAtMs: Date.now() + quickLoginLifetimeMs } }
  } catch (error) {
    return { fault: isApiError(error) ? t(error.promot) : t('网络出现问题，请稍后再试') }
  }
}
