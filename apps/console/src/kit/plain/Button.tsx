import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { Link, type LinkProps } from 'react-router'
import './plain.css'

/** `link`: within text or beside figures, as a link looks. */
type Look = 'primary' | 'quiet' | 'outline' | 'link'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: Look
  readonly busy?: boolean
  readonly wide?: boolean
  readonly ref?: Ref<HTMLButtonElement>
}

/** A button without antd, for the pages that come before the shell. While busy it stays focusable and does nothing. */
export function Button({
  look = 'outline',
  busy,
  wide,
  type = 'button',
  onClick,
  children,
  ...rest
}: ButtonProps): ReactNode {
  return (
    <button
      {...rest}
      type={type}
      className="plain-button"
      data-look={look}
      data-wide={wide}
      aria-busy={busy}
      onClick={(event) => {
        if (busy === true) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {busy === true && <span className="plain-button-busy" aria-hidden="true" />}
      {children}
    </button>
  )
}

interface ButtonLinkProps extends LinkProps {
  readonly look?: Look
  readonly wide?: boolean
}

/** A link within the console that looks like a button. */
export function ButtonLink({ look = 'outline', wide, children, ...rest }: ButtonLinkProps): ReactNode {
  return (
    <Link {...rest} className="plain-button" data-look={look} data-wide={wide}>
      {children}
    </Link>
  )
}

/** A link out of the console. */
export function OutLink({ children, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement>): ReactNode {
  return (
    <a {...rest} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}
