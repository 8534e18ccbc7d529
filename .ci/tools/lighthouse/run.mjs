// Runs Lighthouse on the addresses in its arguments in one Chromium (CHROME_PATH) and prints, as JSON, the scores of
// each and the reasons for lost points. LIGHTHOUSE_COOKIE is sent with each request; with LIGHTHOUSE_PERFORMANCE, the
// score for performance is measured, too, as on a phone with a slow network, which Lighthouse computes.
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

const { LIGHTHOUSE_COOKIE: cookie, LIGHTHOUSE_PERFORMANCE: timed } = process.env;
const categories = ["accessibility", "best-practices", ...(timed ? ["performance"] : [])];
const chrome = await launch({ chromeFlags: ["--headless=new", "--no-sandbox"], logLevel: "silent" });
try {
  const results = [];
  for (const url of process.argv.slice(2)) {
    const { lhr } = await lighthouse(url, {
      port: chrome.port, logLevel: "silent", onlyCategories: categories, disableFullPageScreenshot: true,
      throttlingMethod: timed ? "simulate" : "provided", extraHeaders: cookie ? { Cookie: cookie } : null,
      maxWaitForLoad: 20_000,
    });
    const faults = [];
    for (const category of Object.values(lhr.categories)) {
      for (const { id, weight } of category.auditRefs) {
        const { score, title, details } = lhr.audits[id];
        if (weight > 0 && score !== null && score < 1) {
          faults.push(`${id}: ${title} ${JSON.stringify(details?.items ?? "").slice(0, 600)}`);
        }
      }
    }
    const scores = Object.fromEntries(categories.map((id) => [id, Math.round(lhr.categories[id].score * 100)]));
    results.push({ url, shown: lhr.finalDisplayedUrl, scores, faults, warnings: lhr.runWarnings });
  }
  console.log(JSON.stringify(results));
} finally {
  await chrome.kill();
}
