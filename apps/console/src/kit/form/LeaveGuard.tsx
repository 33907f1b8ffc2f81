import Modal from 'antd/es/modal'
import { useEffect, type ReactNode } from 'react'
import { useBlocker } from 'react-router'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'

interface Props {
  readonly isDirty: boolean
  /** The edited values are kept as a draft (`useDraft`), so that leaving loses nothing. */
  readonly isKept: boolean
}

/** Asks before a link or closing the window leaves a page with unsaved changes. */
export function LeaveGuard({ isDirty, isKept }: Props): ReactNode {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (!isDirty) return undefined
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    globalThis.addEventListener('beforeunload', ask)
    return () => globalThis.removeEventListener('beforeunload', ask)
  }, [isDirty])
  if (blocker.state !== 'blocked') return null
  return (
    <Modal open title={t('离开此页面？')} width={420} footer={null} onCancel={() => blocker.reset()}>
      <p>{isKept ? t('修改尚未保存；一天之内回到这里可以继续编辑。') : t('未保存的修改将会丢失。')}</p>
      <div className="form-foot">
        <Button onClick={() => blocker.reset()}>{t('继续编辑')}</Button>
        <Button look="primary" onClick={() => blocker.proceed()}>
          {isKept ? t('离开') : t('放弃修改并离开')}
        </Button>
      </div>
    </Modal>
  )
}
