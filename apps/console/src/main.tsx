import { StrictMode, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'
import { watchFailures } from '#app/failures.ts'
import { withRedirect } from '#kit/redirect.ts'
import { createRouter } from '#app/router.tsx'
import { quickLoginQuery } from '#identity/login/quickLoginQuery.ts'
import { loadBrand } from '#kit/branding.ts'
import { restoreLanguage, useLanguage } from '#kit/i18n/index.ts'
import { showFlash } from '#kit/notify.ts'
import { forgetPermissions } from '#kit/session/permissions.ts'
import { watchOtherTabs } from '#kit/session/store.ts'
import { paintTheme } from '#kit/theme/settings.ts'
import '#kit/theme/base.css'

type Router = ReturnType<typeof createRouter>

function App({ router }: { readonly router: Router }): ReactNode {
  // Another language is another set of texts everywhere: the tree is mounted anew.
  return <RouterProvider key={useLanguage()} router={router} />
}

/** Quick-login links may carry their parameter before the hash: it moves into the route, where the guard reads it. */
function moveQuickLoginIntoRoute(): void {
  const url = new URL(location.href)
  const origin = url.searchParams.get(quickLoginQuery)
  if (origin === null) return
  url.searchParams.delete(quickLoginQuery)
  url.hash = `/login-home?${quickLoginQuery}=${encodeURIComponent(origin)}`
  history.replaceState(null, '', url)
}

async function start(): Promise<void> {
  paintTheme()
  moveQuickLoginIntoRoute()
  await restoreLanguage()
  const router = createRouter()
  watchFailures(() => {
    const { pathname, search } = router.state.location
    void router.navigate(withRedirect('/login', pathname + search))
  })
  watchOtherTabs(() => {
    forgetPermissions()
    void router.revalidate()
  })
  showFlash()
  void loadBrand()
  const root = document.getElementById('root')
  if (root === null) throw new Error('the page has no #root')
  createRoot(root).render(
    <StrictMode>
      <App router={router} />
    </StrictMode>,
  )
}

void start()
