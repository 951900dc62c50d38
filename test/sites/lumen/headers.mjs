/** No page of ours runs a script, shows anything of other sites, or is shown within them. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The headers that every answer has. */
export function setHeaders(_request, response, next) {
  response.setHeader('Content-Security-Policy', POLICY)
  response.setHeader('Referrer-Policy', 'same-origin')
  response.setHeader('X-Content-Type-Options', 'nosniff')
  next()
}
