import type { ReactNode } from 'react'
import { menuRow } from '@saddle/contract/menu.ts'
import { Chunk } from '#kit/chunk.tsx'
import { t } from '#kit/i18n/index.ts'
import { ButtonLink } from '#kit/plain/Button.tsx'
import { Empty } from '#kit/ui/states.tsx'
import { pageLoader } from './pages.ts'

interface Props {
  readonly path: string
}

/** The page of a route, loaded when it is first shown; the guard has already checked permission. */
export function Page({ path }: Props): ReactNode {
  const load = pageLoader(path)
  return load === undefined ? <AbsentPage path={path} /> : <Chunk load={load} />
}

/** The placeholder of pages that have not been built. */
function AbsentPage({ path }: Props): ReactNode {
  const title = t(menuRow(path)?.title ?? '')
  return (
    <Empty
      size="page"
      title={t('该功能正在建设中')}
      text={t('“{{title}}”还不能使用，您可以先回到首页处理其他工作。', { title })}
      action={
        <ButtonLink to="/log" look="primary">
          {t('返回首页')}
        </ButtonLink>
      }
    />
  )
}
