import { useEffect, type ReactNode } from 'react'
import { createHashRouter, Outlet, redirect, type RouteObject } from 'react-router'
import { menuRows, type MenuRow } from '@saddle/contract/menu.ts'
import { forgetCompanyBrand } from '#kit/branding.ts'
import { Chunk } from '#kit/chunk.tsx'
import type { PageLoader } from '#kit/pages.ts'
import { useSession } from '#kit/session/store.ts'
import { forgetLayout } from '#kit/theme/settings.ts'
import { ToastRegion } from '#kit/plain/ToastRegion.tsx'
import { Loading } from '#kit/ui/states.tsx'
import { guardOf } from './guards.ts'
import { BlankLayout } from './layouts/BlankLayout.tsx'
import { CrashPage } from './layouts/CrashPage.tsx'
import { UserLayout } from './layouts/UserLayout.tsx'
import { Page } from './Page.tsx'
import { Watermark } from './Watermark.tsx'

const loadShell: PageLoader = async () => {
  const [shell, { watchLive }] = await Promise.all([import('#app/shell/GlobalLayout.tsx'), import('./live.ts')])
  watchLive()
  return shell
}

function routeOf(row: MenuRow): RouteObject {
  return { path: row.path, caseSensitive: true, loader: guardOf(row), element: <Page path={row.path} />, handle: row }
}

const rowsWith = (layout: MenuRow['layout']): RouteObject[] =>
  menuRows.filter((row) => row.layout === layout).map(routeOf)

function Root(): ReactNode {
  const isIn = useSession() !== null
  useEffect(() => {
    if (isIn) return
    forgetCompanyBrand()
    forgetLayout()
  }, [isIn])
  return (
    <>
      <Outlet />
      <ToastRegion />
      <Watermark />
    </>
  )
}

/** One route for every row of the menu, under the layout that the row names; everything else leads to /404. */
export const routes: RouteObject[] = [
  {
    element: <Root />,
    hydrateFallbackElement: <Loading size="page" />,
    errorElement: <CrashPage />,
    children: [
      { element: <UserLayout />, children: rowsWith('user') },
      { element: <BlankLayout />, children: rowsWith('blank') },
      { element: <Chunk load={loadShell} />, children: rowsWith(undefined) },
      { path: '*', loader: () => redirect('/404') },
    ],
  },
]

export const createRouter = (): ReturnType<typeof createHashRouter> => createHashRouter(routes)
