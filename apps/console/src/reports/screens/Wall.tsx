import type { ReactNode } from 'react'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { screenFigureEndpoints, screenPageLabels, type ScreenPage } from '@saddle/contract/reports/screens.ts'
import { wordsOf } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { OperationsContent } from './OperationsScreen.tsx'
import { RevenueContent } from './RevenueScreen.tsx'
import { Stage } from './Stage.tsx'
import { WallHeader } from './parts.tsx'
import { useScreen } from './useScreen.ts'

interface WallProps {
  readonly page: ScreenPage
  /** Null: all that may be seen. */
  readonly areaIds: readonly number[] | null
  readonly onEnded?: () => void
  /** Beside the company's name. */
  readonly aside?: ReactNode
}

/** One of the two screens, live. The last good figures stay when the line is lost, with a mark. */
export function Wall({ page, ...rest }: WallProps): ReactNode {
  return page === 'operations' ? (
    <Live
      key={page}
      page={page}
      {...rest}
      endpoint={screenFigureEndpoints.readOperationsScreen}
      Content={OperationsContent}
    />
  ) : (
    <Live
      key={page}
      page={page}
      {...rest}
      endpoint={screenFigureEndpoints.readRevenueScreen}
      Content={RevenueContent}
    />
  )
}

interface Shown {
  readonly at: number
  readonly company: string
  readonly areaCount: number
}

interface LiveProps<T extends Shown> extends WallProps {
  readonly endpoint: Endpoint & { readonly output: { readonly _zod: { readonly output: { readonly data: T } } } }
  readonly Content: (props: { readonly data: T }) => ReactNode
}

function Live<T extends Shown>({ page, areaIds, onEnded, aside, endpoint, Content }: LiveProps<T>): ReactNode {
  const { data, failure } = useScreen<T>(endpoint, { areaIds, onEnded })
  const title = t(screenPageLabels[page])
  return (
    <Stage label={title}>
      {data !== null && <Content data={data} />}
      {data === null && failure !== null && failure.status !== 0 && <p className="wall-refused">{wordsOf(failure)}</p>}
      <WallHeader title={title} company={data?.company ?? ''} at={data?.at ?? null} isLost={failure !== null}>
        {data !== null && <small>{t('{{count}} 个服务区', { count: data.areaCount })}</small>}
        {aside}
      </WallHeader>
    </Stage>
  )
}
