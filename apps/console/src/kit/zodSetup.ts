import { z } from 'zod'

// zod would try `new Function` to speed itself up; the page's content policy refuses and reports each try.
// Imported first of all, because schemas decide when they are made.
z.config({ jitless: true })
