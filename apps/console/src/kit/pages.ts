import type { ComponentType } from 'react'
import type { PagePath } from '@saddle/contract/menu.ts'

/** Fetches the chunk of one page; the page is its default export. */
export type PageLoader = () => Promise<{ readonly default: ComponentType }>

/** The pages that a domain provides. */
export type PageMap = Readonly<Partial<Record<PagePath, PageLoader>>>
