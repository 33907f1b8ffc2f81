import { useEffect, type ReactNode } from 'react'
import { Link, Outlet, useLocation } from 'react-router'
import { menuRow } from '@saddle/contract/menu.ts'
import { titleDocument, useBrand } from '#kit/branding.ts'
import { clientConfig } from '#kit/config.ts'
import { setLanguage, t, useLanguage } from '#kit/i18n/index.ts'
import { markStyles, type VehicleMark } from '#kit/theme/vehicleColours.ts'
import { ChatButton } from '#support/ChatButton.tsx'
import { CityMap, Mark } from './CityMap.tsx'
import './userLayout.css'

const legend: readonly VehicleMark[] = ['available', 'onTrip', 'lowBattery', 'offline']

/** Frame of the pages before login: the city on one side, the page on the other. */
export function UserLayout(): ReactNode {
  const { pathname } = useLocation()
  const brand = useBrand()
  useEffect(() => titleDocument(t(menuRow(pathname)?.title ?? ''), brand), [pathname, brand])
  return (
    <div className="user-layout">
      <div className="user-layout-city">
        <CityMap />
        <ul className="user-layout-legend" aria-hidden="true">
          {legend.map((mark) => (
            <li key={mark}>
              <svg viewBox="-9 -9 18 18" width="16" height="16">
                <Mark mark={mark} />
              </svg>
              {t(markStyles[mark].label)}
            </li>
          ))}
        </ul>
      </div>
      <div className="user-layout-side">
        {clientConfig().insecureTransport && (
          <p className="user-layout-warning">{t('当前连接未加密，请改用 https 访问。')}</p>
        )}
        <header className="user-layout-head">
          <Link to="/login-home" className="user-layout-brand">
            <img src={brand.webImg} alt="" width="32" height="32" />
            <span>{brand.webTitle}</span>
          </Link>
          <LanguageSwitch />
        </header>
        <main className="user-layout-main">
          <Outlet />
        </main>
        <footer className="user-layout-foot">{brand.company}</footer>
      </div>
      <ChatButton />
    </div>
  )
}

function LanguageSwitch(): ReactNode {
  const language = useLanguage()
  const other = language === 'zh' ? 'en' : 'zh'
  return (
    <button type="button" className="user-layout-language" lang={other} onClick={() => void setLanguage(other)}>
      {other === 'en' ? 'English' : '中文'}
    </button>
  )
}
