// SPDX-License-Identifier: MIT
#include "record/stress.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/random.h"
#include "history/builder.h"
#include "server/connection.h"
#include "server/mariadb_connection.h"

namespace isomer::record {
namespace {

using database::IsolationLevel;
using program::Fault;
using program::Value;
using Ticks = std::chrono::steady_clock;

constexpr std::uint32_t writes_of_key = 40;
constexpr std::chrono::milliseconds look_again{50};
constexpr std::chrono::seconds time_to_return{15};
constexpr std::chrono::seconds time_to_end{5};

struct LinkAnswer {
  std::optional<Fault> fault;
  std::vector<std::vector<Value>> rows;
};

std::string level_words(IsolationLevel level) {
  static constexpr std::array words = {"READ UNCOMMITTED", "READ COMMITTED",
                                       "REPEATABLE READ", "SERIALIZABLE"};
  return words[static_cast<std::size_t>(level)];
}

// --- what the databases have in different words ---

class PostgresqlLink {
 public:
  using Connection = server::Connection;
  static constexpr bool begins_with_statement = true;

  static std::unique_ptr<Connection> connect(const StressOptions& options) {
    return std::make_unique<Connection>(options.address.postgresql);
  }

  // Deadlocks are found soon where we may say so; only superusers may.
  static std::string prepare(Connection& connection, const std::string& place,
                             const StressOptions& /*options*/) {
    static_cast<void>(connection.run("SET deadlock_timeout = 20"));
    return connection
        .run(fmt::format("SET search_path = {}; SET client_min_messages = error", place))
        .fault.value_or(Fault())
        .reason;
  }

  static std::vector<std::string> make(const std::string& place) {
    return {
        fmt::format("SELECT pg_advisory_lock({})", server::owner_lock(place)),
        "CREATE SCHEMA " + place,
        fmt::format("CREATE TABLE {}.t (k bigint PRIMARY KEY, v text NOT NULL)", place)};
  }

  static std::string drop(const std::string& place) {
    return fmt::format("DROP SCHEMA {} CASCADE", place);
  }

  static std::string begin(IsolationLevel level) {
    return server::begin_text({.level = level}) + "; ";
  }

  static std::string write(std::uint64_t key, std::uint64_t value, bool appends) {
    return fmt::format(
        "INSERT INTO t VALUES ({}, '{}') ON CONFLICT (k) DO UPDATE SET v = {}", key, value,
        appends ? fmt::format("t.v || ',{}'", value) : "excluded.v");
  }

  static bool has_answer(Connection& connection) { return connection.has_results(); }

  static LinkAnswer take(Connection& connection) {
    auto result = connection.take();
    return {.fault = std::move(result.fault), .rows = std::move(result.rows)};
  }
};

class MariadbLink {
 public:
  using Connection = server::MariadbConnection;
  static constexpr bool begins_with_statement = false;

  static std::unique_ptr<Connection> connect(const StressOptions& options) {
    return std::make_unique<Connection>(options.address.mariadb);
  }

  static std::string prepare(Connection& connection, const std::string& place,
                             const StressOptions& options) {
    for (const std::string& statement :
         {"USE " + place,
          "SET SESSION TRANSACTION ISOLATION LEVEL " + level_words(options.level)})
      if (const auto result = connection.run(statement); result.fault)
        return result.fault->reason;
    return {};
  }

  static std::vector<std::string> make(const std::string& place) {
    return {"CREATE DATABASE " + place,
            fmt::format("CREATE TABLE {}.t (k BIGINT PRIMARY KEY, v LONGTEXT NOT NULL) "
                        "ENGINE = InnoDB",
                        place)};
  }

  static std::string drop(const std::string& place) { return "DROP DATABASE " + place; }

  static std::string begin(IsolationLevel /*level*/) { return "START TRANSACTION"; }

  static std::string write(std::uint64_t key, std::uint64_t value, bool appends) {
    return fmt::format(
        "INSERT INTO t VALUES ({}, '{}') ON DUPLICATE KEY UPDATE v = {}", key, value,
        appends ? fmt::format("concat(v, ',{}')", value) : fmt::format("'{}'", value));
  }

  static bool has_answer(Connection& connection) { return connection.has_result(); }

  static LinkAnswer take(Connection& connection) {
    auto result = connection.take();
    return {.fault = std::move(result.fault), .rows = std::move(result.rows)};
  }
};

// --- what is asked ---

struct Operation {
  std::uint64_t key = 0;
  std::optional<std::uint64_t> value{};  // that is written
};

class Draws {
 public:
  explicit Draws(const StressOptions& options) : options_(options), random_(options.seed) {
    double sum = 0;
    for (std::uint32_t i = 0; i < options.keys; ++i) {
      keys_.push_back({.number = next_key_++});
      sum += std::pow(i + 1, -options.skew);
      weights_.push_back(sum);
    }
  }

  std::vector<Operation> transaction() {
    const bool only_reads = random_.chance(options_.read_only);
    std::vector<Operation> out(1 + random_.below(options_.length_max));
    for (Operation& operation : out) {
      Key& key = drawn_key();
      operation.key = key.number;
      if (only_reads || random_.chance(0.5)) continue;
      operation.value = ++values_;
      if (++key.writes >= writes_of_key) key = {.number = next_key_++};
    }
    return out;
  }

 private:
  struct Key {
    std::uint64_t number = 0;
    std::uint32_t writes = 0;
  };

  Key& drawn_key() {
    const double at = random_.unit() * weights_.back();
    const auto place = std::upper_bound(weights_.begin(), weights_.end(), at);
    return keys_[std::min(keys_.size() - 1,
                          static_cast<std::size_t>(place - weights_.begin()))];
  }

  const StressOptions& options_;
  Random random_;
  std::vector<Key> keys_;
  std::vector<double> weights_;  // summed up
  std::uint64_t next_key_ = 1;
  std::uint64_t values_ = 0;
};

std::vector<history::Value> elements_of(const std::string& text) {
  std::vector<history::Value> out;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    std::int64_t number = 0;
    at = std::from_chars(at, end, number).ptr + 1;
    out.push_back(history::Value::integer(number));
  }
  return out;
}

// --- the run ---

template <class Link>
class Stress {
 public:
  using Connection = typename Link::Connection;

  explicit Stress(const StressOptions& options)
      : options_(options), place_(server::name_of_our_own(false)), draws_(options) {}

  Stress(const Stress&) = delete;
  Stress& operator=(const Stress&) = delete;

  ~Stress() {
    sessions_.clear();
    if (!is_made_) return;
    if (!owner_->problem().empty()) owner_ = Link::connect(options_);
    static_cast<void>(owner_->run(Link::drop(place_)));
  }

  tl::expected<StressRun, std::string> run() {
    if (std::string problem = prepare(); !problem.empty())
      return tl::unexpected(std::move(problem));
    const auto began = Ticks::now();
    const auto length = std::chrono::duration_cast<Ticks::duration>(
        std::chrono::duration<double>(options_.seconds));
    end_ = began + length;
    for (Session& session : sessions_)
      start(session);
    while (std::any_of(sessions_.begin(), sessions_.end(),
                       [](const Session& session) { return session.is_open; })) {
      receive_all();
      if (options_.budget.is_interrupted() || Ticks::now() > end_ + time_to_end) break;
    }
    for (Session& session : sessions_)
      if (session.is_open) end(session, history::Status::Unknown);
    out_.seconds = std::chrono::duration<double>(Ticks::now() - began).count();
    std::sort(out_.latencies.begin(), out_.latencies.end());
    out_.history = builder_.build();
    return std::move(out_);
  }

 private:
  struct Session {
    std::unique_ptr<Connection> connection{};
    history::SessionId id{};
    history::HistoryBuilder::Token token = 0;
    std::vector<Operation> operations{};
    // The next one to be answered; one behind the last is COMMIT, and ROLLBACK behind that.
    std::size_t next = 0;
    bool awaits_begin = false;
    bool is_open = false;
    Ticks::time_point began{};
  };

  [[nodiscard]] bool appends() const {
    return options_.workload == StressWorkload::ListAppend;
  }

  std::string prepare() {
    owner_ = Link::connect(options_);
    if (std::string problem = owner_->problem(); !problem.empty()) return problem;
    for (const std::string& statement : Link::make(place_)) {
      const auto result = owner_->run(statement);
      if (result.fault) return result.fault->reason;
      is_made_ = is_made_ || statement.starts_with("CREATE");
    }
    if (appends())
      builder_.set_list_append();
    else
      builder_.set_initial(history::Value::none());
    sessions_.resize(options_.sessions);
    for (std::size_t i = 0; i < sessions_.size(); ++i) {
      sessions_[i].id = builder_.session(fmt::format("s{}", i + 1));
      if (std::string problem = open(sessions_[i]); !problem.empty()) return problem;
    }
    return {};
  }

  std::string open(Session& session) {
    session.connection = Link::connect(options_);
    if (std::string problem = session.connection->problem(); !problem.empty())
      return problem;
    return Link::prepare(*session.connection, place_, options_);
  }

  void start(Session& session) {
    session.is_open = Ticks::now() < end_ && !options_.budget.is_exhausted();
    if (!session.is_open) return;
    session.operations = draws_.transaction();
    session.next = 0;
    session.token = builder_.begin(session.id);
    session.began = Ticks::now();
    session.awaits_begin = !Link::begins_with_statement;
    if (session.awaits_begin)
      session.connection->send(Link::begin(options_.level));
    else
      send(session, Link::begin(options_.level));
  }

  void send(Session& session, const std::string& before = "") {
    const std::size_t count = session.operations.size();
    if (session.next >= count)
      return session.connection->send(session.next == count ? "COMMIT" : "ROLLBACK");
    const Operation& operation = session.operations[session.next];
    if (operation.value)
      builder_.write(session.token, builder_.key(static_cast<std::int64_t>(operation.key)),
                     history::Value::integer(static_cast<std::int64_t>(*operation.value)));
    session.connection->send(
        before + (operation.value
                      ? Link::write(operation.key, *operation.value, appends())
                      : fmt::format("SELECT v FROM t WHERE k = {}", operation.key)));
  }

  void receive_all() {
    std::vector<Connection*> open;
    for (const Session& session : sessions_)
      if (session.is_open) open.push_back(session.connection.get());
    server::wait_for_any(open, look_again);
    for (Session& session : sessions_)
      if (session.is_open && Link::has_answer(*session.connection)) receive(session);
  }

  void receive(Session& session) {
    const LinkAnswer answer = Link::take(*session.connection);
    const std::size_t count = session.operations.size();
    if (answer.fault && is_broken(*answer.fault)) return lose(session);
    if (session.next > count) return end(session, history::Status::Aborted);
    if (answer.fault) {
      note_reason(*answer.fault);
      // A COMMIT that failed has rolled back.
      if (session.next == count) return end(session, history::Status::Aborted);
      session.next = count + 1;
      return send(session);
    }
    if (session.next == count) return end(session, history::Status::Committed);
    if (!std::exchange(session.awaits_begin, false)) {
      if (!session.operations[session.next].value) note_read(session, answer);
      ++session.next;
    }
    send(session);
  }

  void note_reason(const Fault& fault) { ++out_.rolled_back[database::error_name(fault)]; }

  static bool is_broken(const Fault& fault) {
    return fault.is_limit || fault.number == 2006 || fault.number == 2013;
  }

  void note_read(const Session& session, const LinkAnswer& answer) {
    const auto key =
        builder_.key(static_cast<std::int64_t>(session.operations[session.next].key));
    const std::string* const text =
        answer.rows.empty() ? nullptr : answer.rows[0][0].template get_if<std::string>();
    const auto elements = elements_of(text != nullptr ? *text : "");
    if (appends())
      builder_.read_list(session.token, key, elements);
    else
      builder_.read(session.token, key,
                    elements.empty() ? history::Value::none() : elements[0]);
  }

  void end(Session& session, history::Status how) {
    builder_.set_status(session.token, how);
    session.is_open = false;
    if (how == history::Status::Committed) {
      ++out_.committed;
      out_.latencies.push_back(
          std::chrono::duration<double>(Ticks::now() - session.began).count());
    }
    if (how == history::Status::Unknown) ++out_.unknown;
    if (session.connection) start(session);
  }

  // Without its COMMIT a transaction was rolled back.
  void lose(Session& session) {
    ++out_.losses;
    const bool may_have_committed = session.next == session.operations.size();
    session.connection.reset();
    if (!may_have_committed) ++out_.rolled_back["08006"];
    end(session, may_have_committed ? history::Status::Unknown : history::Status::Aborted);
    const auto until = std::min(Ticks::now() + time_to_return, end_);
    while (!open(session).empty()) {
      if (Ticks::now() > until) return session.connection.reset();
      std::this_thread::sleep_for(look_again);
    }
    start(session);
  }

  const StressOptions& options_;
  std::string place_;
  bool is_made_ = false;
  std::unique_ptr<Connection> owner_;
  std::vector<Session> sessions_;
  Draws draws_;
  history::HistoryBuilder builder_;
  Ticks::time_point end_{};
  StressRun out_;
};

}  // namespace

tl::expected<StressRun, std::string> stress(const StressOptions& options) {
  if (options.address.database == database::Database::PostgreSql)
    return Stress<PostgresqlLink>(options).run();
  if (options.address.database == database::Database::MariaDb)
    return Stress<MariadbLink>(options).run();
  return tl::unexpected(std::string("stress runs on PostgreSQL and MariaDB only"));
}

}  // namespace isomer::record
