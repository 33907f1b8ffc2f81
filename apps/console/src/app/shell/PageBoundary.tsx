import { Component, type ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { ErrorState } from '#kit/ui/states.tsx'

interface Props {
  readonly children: ReactNode
}

interface State {
  readonly error: unknown
}

/** Keeps the menu and the other tabs working when a page fails. */
export class PageBoundary extends Component<Props, State> {
  override readonly state: State = { error: null }

  static getDerivedStateFromError(error: unknown): State {
    return { error: error ?? new Error('unknown') }
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children
    return (
      <ErrorState
        size="page"
        title={t('页面出错了')}
        text={t('其他页面不受影响，可以重试或从菜单打开别的页面。')}
        onRetry={() => this.setState({ error: null })}
      />
    )
  }
}
