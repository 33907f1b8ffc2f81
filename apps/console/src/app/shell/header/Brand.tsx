import type { ReactElement } from 'react'
import { Link } from 'react-router'
import { showCustomBrand, useBrand, useBrandToggle } from '#kit/branding.ts'
import { t } from '#kit/i18n/index.ts'
import { Icon } from '../Icon.tsx'

/** Logo, title and company; the eye switches between the tenant's branding and the product's own (section 1). */
export function Brand(): ReactElement {
  const { webImg, webTitle, company } = useBrand()
  const { available, custom } = useBrandToggle()
  const label = custom ? t('显示默认品牌') : t('显示自定义品牌')
  return (
    <div className="shell-brand">
      <Link to="/log" title={t('首页')}>
        <img src={webImg} alt="" />
        <span>
          {webTitle}
          <small>{company}</small>
        </span>
      </Link>
      {available && (
        <button
          type="button"
          className="shell-button"
          aria-label={label}
          aria-pressed={custom}
          title={label}
          onClick={() => showCustomBrand(!custom)}
        >
          <Icon name={custom ? 'eye' : 'eyeOff'} size={16} />
        </button>
      )}
    </div>
  )
}
