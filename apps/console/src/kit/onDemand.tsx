import { createElement, useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { loadChunk } from './chunk.tsx'
import { t } from './i18n/index.ts'
import { notify } from './notify.ts'

/**
 * A dialog that is loaded when it is first opened. If loading fails, a message is shown and the dialog counts as
 * closed, so that the next try loads it again; the page around it is not affected.
 */
export function onDemand<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  close: (props: P) => void,
): (props: P) => ReactNode {
  let fetched: ComponentType<P> | null = null
  return function OnDemand(props: P): ReactNode {
    const [component, setComponent] = useState<ComponentType<P> | null>(() => fetched)
    useEffect(() => {
      if (fetched !== null) return
      let isCurrent = true
      const failed = (): void => {
        if (!isCurrent) return
        notify.error({ title: t('错误'), text: t('网络出现问题，请稍后再试') })
        close(props)
      }
      // Losing the page's state by a reload would cost more than the dialog is worth.
      loadChunk(load, { reload: () => {} }).then((chunk) => {
        fetched = chunk.default
        if (isCurrent) setComponent(() => chunk.default)
        return null
      }, failed)
      return () => {
        isCurrent = false
      }
      // The props at opening contain the callback to notify; later props only concern the dialog.
      // oxlint-disable-next-line react/exhaustive-deps
    }, [])
    return component === null ? null : createElement(component, props)
  }
}
