import type { ReactNode } from 'react'
import { isApiError, wordsOf } from '#kit/api/error.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import './states.css'

interface StateProps {
  readonly title?: string
  readonly text?: ReactNode
  /** The next step: a link or a button. */
  readonly action?: ReactNode
  readonly size?: 'panel' | 'page'
  /** It replaces the whole page, which then has no other heading. */
  readonly isHeading?: boolean
}

interface FrameProps extends StateProps {
  readonly mark: ReactNode
  /** How a screen reader announces it. */
  readonly live?: 'alert' | 'status'
}

function Frame({ mark, title, text, action, size = 'panel', live, isHeading = false }: FrameProps): ReactNode {
  return (
    <div className="state" data-size={size} role={live}>
      {mark}
      {title !== undefined &&
        (isHeading ? <h1 className="state-title">{title}</h1> : <p className="state-title">{title}</p>)}
      {text !== undefined && <p className="state-text">{text}</p>}
      {action !== undefined && <div className="state-actions">{action}</div>}
    </div>
  )
}

function Mark({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <svg
      className="state-mark"
      viewBox="0 0 56 56"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}

/** Empty state: one sentence and a next step. */
export function Empty({ title = t('暂无数据'), ...rest }: StateProps): ReactNode {
  const mark = (
    <Mark>
      <path d="M8 30 16 14h24l8 16v12H8z M8 30h12l3 5h10l3-5h12" />
    </Mark>
  )
  return <Frame mark={mark} title={title} {...rest} />
}

export function Loading({ text = t('正在加载…'), ...rest }: StateProps): ReactNode {
  return <Frame mark={<span className="state-spinner" aria-hidden="true" />} text={text} live="status" {...rest} />
}

interface ErrorProps extends StateProps {
  readonly error?: unknown
  readonly onRetry?: () => void
}

/** An error with the server's message, if any, and a retry button; a denied permission looks different. */
export function ErrorState({ error, onRetry, title = titleOf(error), text, action, ...rest }: ErrorProps): ReactNode {
  if (isApiError(error) && error.status === 403) return <Forbidden words={wordsOf(error)} {...rest} />
  const words = text ?? (isApiError(error) ? wordsOf(error) : t('服务器开小差了，请稍后再试'))
  const retry = onRetry && <Button onClick={onRetry}>{t('重试')}</Button>
  const mark = (
    <Mark>
      <path d="M28 8 50 46H6z M28 22v12 M28 39v2" />
    </Mark>
  )
  return <Frame mark={mark} title={title} text={words} action={action ?? retry} live="alert" {...rest} />
}

/** A missing item is shown with the specification's heading (section 8). */
const titleOf = (error: unknown): string => (isApiError(error) && error.status === 404 ? t('错误') : t('加载失败'))

interface ForbiddenProps extends StateProps {
  readonly words: string
}

/** Tells the person that access is denied, and whom to ask. */
function Forbidden({ words, ...rest }: ForbiddenProps): ReactNode {
  const mark = (
    <Mark>
      <path d="M14 25h28v21H14z M20 25v-7a8 8 0 0 1 16 0v7 M28 33v6" />
    </Mark>
  )
  const text = (
    <>
      {words}
      <br />
      {t('如需使用，请联系管理员开通权限。')}
    </>
  )
  return <Frame mark={mark} title={t('没有权限查看此内容')} text={text} {...rest} />
}
